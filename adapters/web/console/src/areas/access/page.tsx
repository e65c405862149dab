import { Stack, Text } from "@mantine/core";
import { useCurrentUser, useHasScope } from "../../shared/api/console.ts";
import { Page } from "../../shared/ui/page/page.tsx";
import { OtherLogins, OwnLogins } from "./login-tokens.tsx";
import { OpenAiClients } from "./openai-clients.tsx";
import { PasswordForm } from "./password-form.tsx";
import { useTexts } from "./texts.ts";

/** The account of the current user: identity, logins and password; administrators manage all logins. */
export function AccessPage() {
  const { t } = useTexts();
  const isAdmin = useHasScope("admin");
  const isOperator = useHasScope("write");
  const { username = "" } = useCurrentUser().data ?? {};
  return (
    <Page title={t("myAccount")} isOwn>
      <Stack gap="xl">
        <Text size="sm" data-testid="who">
          {t("signedInAs", { name: username })} {t(isAdmin ? "isAdmin" : isOperator ? "isOperator" : "isReader")}
        </Text>
        <OwnLogins />
        <PasswordForm username={username} />
        {isAdmin && <OtherLogins />}
        <OpenAiClients />
      </Stack>
    </Page>
  );
}

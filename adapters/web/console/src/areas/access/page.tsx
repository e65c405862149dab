import { Text, Title } from "@mantine/core";
import { Page } from "../../shared/ui/page.tsx";
import { LoginTokens } from "./login-tokens.tsx";
import { useTexts } from "./texts.ts";

export function AccessPage() {
  const { t } = useTexts();
  return (
    <Page title={t("signIns")}>
      <LoginTokens />
      <section aria-labelledby="password">
        <Title order={2} size="h4" id="password">
          {t("password")}
        </Title>
        <Text size="sm" c="dimmed" maw="44rem">
          {t("passwordHint")}
        </Text>
      </section>
    </Page>
  );
}

import { Text, Title } from "@mantine/core";
import { useTexts } from "../i18n.ts";
import { ApiKeys } from "../parts/api-keys.tsx";
import { LoginTokens } from "../parts/login-tokens.tsx";
import { Page } from "../parts/page.tsx";

export function AccessPage() {
  const { t } = useTexts();
  return (
    <Page title="access">
      <ApiKeys />
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

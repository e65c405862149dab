import { Text, Title } from "@mantine/core";
import { useTexts } from "../i18n.ts";
import { ApiKeys } from "../parts/api-keys.tsx";
import { LoginTokens } from "../parts/login-tokens.tsx";

export function AccessPage() {
  const { t } = useTexts();
  return (
    <div className="page">
      <Title order={1} size="h3" mb="md">
        {t("access")}
      </Title>
      <ApiKeys />
      <LoginTokens />
      <section aria-labelledby="password">
        <Title order={2} size="h4" id="password" mt="xl">
          {t("password")}
        </Title>
        <Text size="sm" c="dimmed" maw="44rem">
          {t("passwordHint")}
        </Text>
      </section>
    </div>
  );
}

import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { Failure } from "../parts/common.tsx";

export function SignIn({ entered }: { readonly entered: () => void }) {
  const { t } = useTexts();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      await api.post("/api/login", { username: fields.get("username"), password: fields.get("password") });
      entered();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Center mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={380} component="main">
        <form onSubmit={submit}>
          <Stack>
            <div>
              <Title order={1} size="h3">
                Parley
              </Title>
              <Text size="sm" c="dimmed">
                {t("signInHint")}
              </Text>
            </div>
            <TextInput name="username" label={t("userName")} autoComplete="username" defaultValue="admin" required />
            <PasswordInput
              name="password"
              label={t("password")}
              autoComplete="current-password"
              required
              data-autofocus
              autoFocus
            />
            <Failure error={error} />
            <Button type="submit" loading={isBusy}>
              {t("signIn")}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

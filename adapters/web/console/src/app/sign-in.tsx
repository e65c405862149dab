import { Alert, Button, Center, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { ApiError, parley } from "../shared/api/client.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { Failure } from "../shared/ui/common.tsx";
import { BRAND } from "./brand.ts";
import { LanguageSelect } from "./preferences.tsx";

interface SignInProps {
  readonly entered: () => void;
  /** Somebody was signed in, and is no more without having wanted it. */
  readonly isLost: boolean;
}

/** Stands over whatever page was asked for: signing in leads there. */
export function SignIn({ entered, isLost }: SignInProps) {
  const { t } = useTexts();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const wait = useCountdown(error instanceof ApiError ? error : undefined);
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      const body = { username: String(fields.get("username")), password: String(fields.get("password")) };
      await parley.post("/api/login", { body });
      entered();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const isLocked = error instanceof ApiError && error.code === "rate_limited";
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380} gap="xs">
        <Paper withBorder p="xl">
          <form onSubmit={submit}>
            <Stack>
              <div>
                <Group gap="xs">
                  <img src="/assets/icon.svg" alt="" width={26} height={26} />
                  <Title order={1} size="h3">
                    {BRAND}
                  </Title>
                </Group>
                <Text size="sm" c="dimmed" mt={4}>
                  {t(isLost ? "loginLostHint" : "signInHint")}
                </Text>
              </div>
              {isLost && (
                <Alert color="yellow" py="xs" role="status" data-testid="login-lost">
                  {t("loginLost")}
                </Alert>
              )}
              <TextInput name="username" label={t("userName")} autoComplete="username" defaultValue="admin" required />
              <PasswordInput name="password" label={t("password")} autoComplete="current-password" required autoFocus />
              {isLocked ? (
                <Text role="alert" size="sm" c="red">
                  {wait > 0 ? `${t("lockedOut")} ${wait} s` : t("tryNow")}
                </Text>
              ) : (
                <Failure error={error} />
              )}
              <Button type="submit" loading={isBusy} disabled={wait > 0}>
                {t("signIn")}
              </Button>
            </Stack>
          </form>
        </Paper>
        <Group justify="flex-end">
          <LanguageSelect />
        </Group>
      </Stack>
    </Center>
  );
}

/** Seconds until the service takes an attempt again, counted down. */
function useCountdown(error: ApiError | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(error?.retryAfterS ?? 0);
    if (!error?.retryAfterS) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

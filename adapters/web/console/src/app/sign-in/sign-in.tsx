import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, fetchSignOutReason, parley } from "../../shared/api/client.ts";
import { BRAND } from "../../shared/brand.ts";
import { useTexts } from "../../shared/i18n/i18n.ts";
import { Failure, formatError } from "../../shared/ui/common.tsx";
import { Logo } from "../../shared/ui/element/logo.tsx";
import { LanguageSelect } from "../frame/language-select.tsx";
import signInCss from "./sign-in.module.css";

interface SignInProps {
  readonly onSignedIn: (username: string) => void;
  /** The user who was signed in before. */
  readonly username?: string;
  /** True when the login ended without a sign-out by the user. */
  readonly isExpired: boolean;
}

/** The sign-in form. The URL stays, so that signing in shows the requested page. */
export function SignIn({ username = "admin", onSignedIn, isExpired }: SignInProps) {
  const { t } = useTexts();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const waitS = useCountdown(error instanceof ApiError ? error : undefined);
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    // Loads the pages while the service checks the password.
    void import("../router.tsx");
    try {
      const body = { username: String(fields.get("username")), password: String(fields.get("password")) };
      await parley.post("/api/login", { body });
      onSignedIn(body.username);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const isLocked = error instanceof ApiError && error.code === "rate_limited";
  return (
    <div className={signInCss.entry}>
      <div className={signInCss.entryScene} aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <main className={signInCss.entryForm}>
        <form onSubmit={submit}>
          <Stack>
            <div>
              <Logo size={52} />
              <Title order={1} mt="md">
                {BRAND}
              </Title>
              <Text size="sm" c="dimmed" mt={6}>
                {t(isExpired ? "loginLostHint" : "signInHint")}
              </Text>
            </div>
            {isExpired && <SignOutReason />}
            <TextInput
              size="md"
              name="username"
              label={t("userName")}
              autoComplete="username"
              defaultValue={username}
              required
              withAsterisk={false}
            />
            <PasswordInput
              size="md"
              name="password"
              label={t("password")}
              autoComplete="current-password"
              required
              withAsterisk={false}
              autoFocus
            />
            {isLocked ? (
              <Text role="alert" size="sm" c="red">
                {waitS > 0 ? `${t("lockedOut")} ${waitS} s` : t("tryNow")}
              </Text>
            ) : (
              <Failure error={error} />
            )}
            <Button size="md" type="submit" loading={isBusy} disabled={waitS > 0}>
              {t("signIn")}
            </Button>
          </Stack>
        </form>
        <LanguageSelect />
      </main>
    </div>
  );
}

/** The reason why the login ended, once the service has answered. */
function SignOutReason() {
  const { t } = useTexts();
  const { data, isPending } = useQuery({ queryKey: ["lost"], queryFn: fetchSignOutReason, retry: false, gcTime: 0 });
  if (isPending) return null;
  return (
    <Alert color="yellow" py="xs" role="status" data-testid="login-lost">
      {data ? formatError(data, t) : t("loginLost")}
    </Alert>
  );
}

/** Returns the seconds until the service accepts the next attempt, counting down. */
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

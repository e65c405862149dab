import { Button, Center } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { ApiError, onSignedOut } from "../shared/api/client.ts";
import { useCurrentUser } from "../shared/api/console.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { LiveProvider } from "../shared/live/live-provider.tsx";
import { refetch } from "../shared/live/refetch.ts";
import { lazy } from "../shared/load-chunk.ts";
import { Failure, LoadingIndicator } from "../shared/ui/common.tsx";

const SignIn = lazy(async () => ({ default: (await import("./sign-in/sign-in.tsx")).SignIn }));
const SignInAgain = lazy(async () => ({ default: (await import("./sign-in/reauthentication.tsx")).Reauthentication }));
const Pages = lazy(async () => ({ default: (await import("./router.tsx")).AppRouter }));

/**
 * The pages, or the sign-in form while signed out, which needs few of their files. After an expired login the form is
 * an overlay: the same user finds unsaved work unchanged, another user finds none of it.
 */
export function AppShell() {
  const queries = useQueryClient();
  const [isSignedOut, setSignedOut] = useState<"left" | "lost">();
  const lost = useCallback(() => setSignedOut((before) => before ?? "lost"), []);
  useEffect(() => onSignedOut(lost), [lost]);
  const who = useCurrentUser();
  // Nothing of whoever was signed in before is drawn, or said, for who is now.
  const enter = async () => {
    setSignedOut("left");
    await queries.resetQueries();
    setSignedOut(undefined);
  };
  if (isSignedOut === "left" || !who.data) {
    if (who.isError && !isSignInRequired(who.error))
      return <ServiceUnreachable error={who.error} onRetry={() => who.refetch()} />;
    if (!isSignedOut && !who.isError) return <LoadingIndicator />;
    return (
      <Suspense fallback={<LoadingIndicator />}>
        <SignIn onSignedIn={() => void enter()} isLost={isSignedOut === "lost"} />
      </Suspense>
    );
  }
  const { username } = who.data;
  const isLost = isSignedOut === "lost" || (who.isError && isSignInRequired(who.error));
  const enterAgain = (name: string) => {
    if (name !== username) return void enter();
    setSignedOut(undefined);
    void refetch(queries);
  };
  return (
    <LiveProvider key={username} isLost={isLost} onSignedOut={lost}>
      <Suspense fallback={<LoadingIndicator />}>
        <Pages username={username} onSignedOut={() => setSignedOut("left")} />
      </Suspense>
      {isLost && (
        <Suspense>
          <SignInAgain username={username} onSignedIn={enterAgain} />
        </Suspense>
      )}
    </LiveProvider>
  );
}

function ServiceUnreachable({ error, onRetry }: { readonly error: Error; readonly onRetry: () => unknown }) {
  const { t } = useTexts();
  return (
    <Center mih="100dvh" p="md">
      <Failure error={error}>
        <Button size="xs" variant="light" onClick={onRetry}>
          {t("retry")}
        </Button>
      </Failure>
    </Center>
  );
}

// Nobody is signed in; anything else is a service that cannot be reached or has another problem.
function isSignInRequired(error: Error): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}

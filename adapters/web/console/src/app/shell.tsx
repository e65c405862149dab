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
 * The pages, or the sign-in form while signed out. After an expired login the form covers the pages: unsaved work stays
 * if the same user signs in, and is removed for another user.
 */
export function AppShell() {
  const queries = useQueryClient();
  const [signOutReason, setSignOutReason] = useState<"by-user" | "expired">();
  const markExpired = useCallback(() => setSignOutReason((before) => before ?? "expired"), []);
  useEffect(() => onSignedOut(markExpired), [markExpired]);
  const currentUser = useCurrentUser();
  // Clears the data of the previous user before anything is rendered for the new one.
  const startSession = async () => {
    setSignOutReason("by-user");
    await queries.resetQueries();
    setSignOutReason(undefined);
  };
  if (signOutReason === "by-user" || !currentUser.data) {
    if (currentUser.isError && !isSignInRequired(currentUser.error))
      return <ServiceUnreachable error={currentUser.error} onRetry={() => currentUser.refetch()} />;
    if (!signOutReason && !currentUser.isError) return <LoadingIndicator />;
    return (
      <Suspense fallback={<LoadingIndicator />}>
        <SignIn onSignedIn={() => void startSession()} isExpired={signOutReason === "expired"} />
      </Suspense>
    );
  }
  const { username } = currentUser.data;
  const isExpired = signOutReason === "expired" || (currentUser.isError && isSignInRequired(currentUser.error));
  const resumeSession = (name: string) => {
    if (name !== username) return void startSession();
    setSignOutReason(undefined);
    void refetch(queries);
  };
  return (
    <LiveProvider key={username} isLoginExpired={isExpired} onSignedOut={markExpired}>
      <Suspense fallback={<LoadingIndicator />}>
        <Pages username={username} onSignedOut={() => setSignOutReason("by-user")} />
      </Suspense>
      {isExpired && (
        <Suspense>
          <SignInAgain username={username} onSignedIn={resumeSession} />
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

// Any other error means that the service is unreachable or broken.
function isSignInRequired(error: Error): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}

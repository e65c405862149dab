import { Button, Center } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { ApiError, onSignedOut } from "../shared/api/client.ts";
import { useWho } from "../shared/api/console.ts";
import { lazy } from "../shared/fetched.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { LiveProvider } from "../shared/live/live.tsx";
import { readAgain } from "../shared/live/read-again.ts";
import { Failure, Waiting } from "../shared/ui/common.tsx";

const SignIn = lazy(async () => ({ default: (await import("./sign-in.tsx")).SignIn }));
const SignInAgain = lazy(async () => ({ default: (await import("./sign-in-again.tsx")).SignInAgain }));
const Pages = lazy(async () => ({ default: (await import("./router.tsx")).Pages }));

/**
 * The pages; the sign-in form while nobody is signed in, which needs few of their files. Over a login that was lost it is
 * laid on top: whoever signs in again finds what was being written as it was left, and anybody else finds nothing of it.
 */
export function Shell() {
  const queries = useQueryClient();
  const [out, setOut] = useState<"left" | "lost">();
  const lost = useCallback(() => setOut((before) => before ?? "lost"), []);
  useEffect(() => onSignedOut(lost), [lost]);
  const who = useWho();
  // Nothing of whoever was signed in before is drawn, or said, for who is now.
  const enter = async () => {
    setOut("left");
    await queries.resetQueries();
    setOut(undefined);
  };
  if (out === "left" || !who.data) {
    if (who.isError && !isRefused(who.error)) return <NotReached error={who.error} again={() => who.refetch()} />;
    if (!out && !who.isError) return <Waiting />;
    return (
      <Suspense fallback={<Waiting />}>
        <SignIn entered={() => void enter()} isLost={out === "lost"} />
      </Suspense>
    );
  }
  const { username } = who.data;
  const isLost = out === "lost" || (who.isError && isRefused(who.error));
  const enterAgain = (name: string) => {
    if (name !== username) return void enter();
    setOut(undefined);
    void readAgain(queries);
  };
  return (
    <LiveProvider key={username} isLost={isLost} signedOut={lost}>
      <Suspense fallback={<Waiting />}>
        <Pages username={username} signedOut={() => setOut("left")} />
      </Suspense>
      {isLost && (
        <Suspense>
          <SignInAgain username={username} entered={enterAgain} />
        </Suspense>
      )}
    </LiveProvider>
  );
}

function NotReached({ error, again }: { readonly error: Error; readonly again: () => unknown }) {
  const { t } = useTexts();
  return (
    <Center mih="100dvh" p="md">
      <Failure error={error}>
        <Button size="xs" variant="light" onClick={again}>
          {t("retry")}
        </Button>
      </Failure>
    </Center>
  );
}

// Nobody is signed in; anything else is a service that cannot be reached or has another problem.
function isRefused(error: Error): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}

import { Button, Center } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { ApiError, onSignedOut } from "../shared/api/client.ts";
import { useWho } from "../shared/api/console.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { LiveProvider } from "../shared/live/live.tsx";
import { Failure, Waiting } from "../shared/ui/common.tsx";

const SignIn = lazy(async () => ({ default: (await import("./sign-in.tsx")).SignIn }));
const Pages = lazy(async () => ({ default: (await import("./router.tsx")).Pages }));

/** The pages; the sign-in form while nobody is signed in, which needs few of their files. */
export function Shell() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [out, setOut] = useState<"left" | "lost">();
  const lost = useCallback(() => setOut((before) => before ?? "lost"), []);
  useEffect(() => onSignedOut(lost), [lost]);
  const who = useWho();
  if (who.isError && !isRefused(who.error)) {
    return (
      <Center mih="100dvh" p="md">
        <Failure error={who.error}>
          <Button size="xs" variant="light" onClick={() => who.refetch()}>
            {t("retry")}
          </Button>
        </Failure>
      </Center>
    );
  }
  if (out || who.isError) {
    const enter = () => {
      setOut(undefined);
      void queries.resetQueries();
    };
    return (
      <Suspense fallback={<Waiting />}>
        <SignIn entered={enter} isLost={out === "lost"} />
      </Suspense>
    );
  }
  if (!who.data) return <Waiting />;
  return (
    <LiveProvider signedOut={lost}>
      <Suspense fallback={<Waiting />}>
        <Pages username={who.data.username} signedOut={() => setOut("left")} />
      </Suspense>
    </LiveProvider>
  );
}

// Nobody is signed in; anything else is a service that cannot be reached or has another problem.
function isRefused(error: Error): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}

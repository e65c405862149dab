import { ActionIcon, AppShell, Burger, Button, Center, Group, Stack, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useState } from "react";
import { ApiError, onSignedOut, parley } from "../shared/api/client.ts";
import type { SharedKey } from "../shared/i18n/i18n.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { CONSOLE_STREAM } from "../shared/live/link.ts";
import { LiveProvider, useLinkPhase, useLive } from "../shared/live/live.tsx";
import { readAgain } from "../shared/live/read-again.ts";
import { Failure, Waiting } from "../shared/ui/common.tsx";
import { Icon, type IconName } from "../shared/ui/icon.tsx";
import { WaitingCount, WaitingNotice } from "../shared/ui/questions.tsx";
import { BRAND } from "./brand.ts";
import { Preferences } from "./preferences.tsx";
import { SignIn } from "./sign-in.tsx";

const PAGES = [
  ["/", "conversations", "chat"],
  ["/channels", "channels", "channel"],
  ["/filter", "filter", "filter"],
  ["/gateway", "gateway", "gateway"],
  ["/models", "models", "model"],
  ["/mcp", "mcp", "tool"],
  ["/access", "access", "key"],
  ["/plugins", "plugins", "plug"],
  ["/status", "status", "status"],
  ["/settings", "settings", "settings"],
] as const satisfies readonly (readonly [string, SharedKey, IconName])[];
const SESSION_EVENTS = new Set(["session_renamed", "session_updated", "ai_response", "message_updated"]);

/** The frame around every page; the sign-in form while nobody is signed in. */
export function Shell() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [isOut, setOut] = useState(false);
  const signedOut = useCallback(() => setOut(true), []);
  useEffect(() => onSignedOut(signedOut), [signedOut]);
  const who = useQuery({
    queryKey: ["who"],
    queryFn: () => parley.post("/api/verify-token"),
    retry: false,
  });
  if (who.isError && !isRefused(who.error)) {
    return (
      <Center mih="100dvh" p="md">
        <Failure error={who.error}>
          <Button size="xs" variant="light" mt="xs" onClick={() => who.refetch()}>
            {t("retry")}
          </Button>
        </Failure>
      </Center>
    );
  }
  if (isOut || who.isError) {
    const enter = () => {
      setOut(false);
      void queries.resetQueries();
    };
    return <SignIn entered={enter} />;
  }
  if (!who.data) return <Waiting />;
  return (
    <LiveProvider signedOut={signedOut}>
      <Frame username={who.data.username} signedOut={signedOut} />
    </LiveProvider>
  );
}

function Frame({ username, signedOut }: { readonly username: string; readonly signedOut: () => void }) {
  const { t } = useTexts();
  const [isOpen, menu] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isCurrent = (to: string) => (to === "/" ? path === "/" || path.startsWith("/sessions") : path.startsWith(to));
  useHotkeys([["Escape", menu.close]], []);
  const signOut = async () => {
    await parley.post("/api/logout");
    signedOut();
  };
  return (
    <>
      <button type="button" className="skip" onClick={focusMain}>
        {t("skip")}
      </button>
      <AppShell
        header={{ height: { base: 48, sm: 0 } }}
        navbar={{ width: 196, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding={0}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md" gap="sm">
            <Burger opened={isOpen} onClick={menu.toggle} size="sm" aria-label={t("menu")} />
            <Brand />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" className="side">
          <Group visibleFrom="sm" px={6} pb="md" pt={4} gap="xs">
            <Brand />
          </Group>
          <Stack gap={2} component="nav" style={{ flex: 1 }} aria-label={t("menu")}>
            {PAGES.map(([to, key, icon]) => (
              <Link
                key={to}
                to={to}
                className="nav-link"
                aria-current={isCurrent(to) ? "page" : undefined}
                onClick={menu.close}
              >
                <Icon name={icon} />
                {t(key)}
                {to === "/mcp" && <WaitingCount />}
              </Link>
            ))}
          </Stack>
          <Preferences />
          <Group justify="space-between" mt="sm" wrap="nowrap" gap="xs" pl={6}>
            <Text size="sm" c="dimmed" truncate title={username}>
              {username}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              title={t("signOut")}
              aria-label={t("signOut")}
              onClick={() => void signOut()}
            >
              <Icon name="signOut" />
            </ActionIcon>
          </Group>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} className="main">
          <ConnectionNotice />
          <WaitingNotice path={path} />
          <FreshLists />
          <div className="scroll">
            <Suspense fallback={<Waiting />}>
              <Outlet />
            </Suspense>
          </div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/assets/icon.svg" alt="" width={22} height={22} />
      <Text fw={700} truncate>
        {BRAND}
      </Text>
    </Group>
  );
}

/** Lists that others change are read again. */
function FreshLists() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live?.subscribe(({ type, kind, session_id }) => {
        if (type === "resync" && session_id === CONSOLE_STREAM) void readAgain(queries);
        if (type === "resource_changed") void readAgain(queries, [String(kind)]);
        if (SESSION_EVENTS.has(type)) void readAgain(queries, ["session"]);
        if (type === "channel_status") {
          void readAgain(queries, ["status"]);
          void readAgain(queries, ["channel"]);
        }
      }),
    [live, queries],
  );
  return null;
}

// A connection that comes back within two seconds is not worth a word.
function ConnectionNotice() {
  const { t } = useTexts();
  const isOpen = useLinkPhase() === "open";
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(() => setLate(true), 2_000);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isOpen]);
  if (isOpen || !isLate) return null;
  return (
    <div className="lost" role="status">
      {t("offlineLine")}
    </div>
  );
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

// Nobody is signed in; anything else is a service that cannot be reached or has another problem.
function isRefused(error: Error): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}

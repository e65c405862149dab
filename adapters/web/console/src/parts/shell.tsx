import {
  Alert,
  AppShell,
  Burger,
  Group,
  NativeSelect,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { api, onSignedOut } from "../api/client.ts";
import { LANGUAGES, type Language, setLanguage, useTexts } from "../i18n.ts";
import { SignIn } from "../pages/sign-in.tsx";
import type { TextKey } from "../texts.ts";
import { LiveProvider, useLinkState, useLive } from "./live.tsx";

const PAGES = [
  ["/", "conversations"],
  ["/models", "models"],
  ["/access", "access"],
  ["/plugins", "plugins"],
  ["/status", "status"],
  ["/settings", "settings"],
] as const satisfies readonly (readonly [string, TextKey])[];

/** The frame around every page; the sign-in form while nobody is signed in. */
export function Shell() {
  const queries = useQueryClient();
  const [isOut, setOut] = useState(false);
  const signedOut = useCallback(() => setOut(true), []);
  useEffect(() => onSignedOut(signedOut), [signedOut]);
  const who = useQuery({
    queryKey: ["who"],
    queryFn: () => api.post<{ username: string }>("/api/verify-token"),
    retry: false,
  });
  if (isOut || who.isError) {
    const enter = () => {
      setOut(false);
      void queries.resetQueries();
    };
    return <SignIn entered={enter} />;
  }
  if (!who.data) return null;
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
  const signOut = async () => {
    await api.post("/api/logout");
    signedOut();
  };
  return (
    <>
      <button type="button" className="skip" onClick={focusMain}>
        {t("skip")}
      </button>
      <AppShell
        header={{ height: 48 }}
        navbar={{ width: 200, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding={0}
      >
        <AppShell.Header>
          <Group h="100%" px="md" gap="sm">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t("menu")} />
            <img src="/assets/icon.svg" alt="" width={24} height={24} />
            <Text fw={700}>Parley</Text>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm">
          <Stack gap={2} component="nav" style={{ flex: 1 }} aria-label={t("menu")}>
            {PAGES.map(([to, key]) => (
              <Link
                key={to}
                to={to}
                className="nav-link"
                aria-current={isCurrent(to) ? "page" : undefined}
                onClick={menu.close}
              >
                {t(key)}
              </Link>
            ))}
          </Stack>
          <Preferences />
          <Group justify="space-between" mt="sm">
            <Text size="sm" c="dimmed" truncate>
              {username}
            </Text>
            <UnstyledButton onClick={signOut}>
              <Text size="sm" td="underline">
                {t("signOut")}
              </Text>
            </UnstyledButton>
          </Group>
        </AppShell.Navbar>
        <AppShell.Main
          id="main"
          tabIndex={-1}
          h="100dvh"
          style={{ outline: "none", display: "flex", flexDirection: "column" }}
        >
          <ConnectionNotice />
          <FreshLists />
          <div style={{ flex: 1, minHeight: 0, overflowY: "auto" }}>
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

/** Lists that others change are read again. */
function FreshLists() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live?.subscribe(({ type, kind }) => {
        if (type === "resource_changed") void queries.invalidateQueries({ queryKey: [String(kind)] });
        if (type === "session_renamed" || type === "session_updated")
          void queries.invalidateQueries({ queryKey: ["session"] });
        if (type === "channel_status") void queries.invalidateQueries({ queryKey: ["status"] });
      }),
    [live, queries],
  );
  return null;
}

function ConnectionNotice() {
  const { t } = useTexts();
  const state = useLinkState();
  if (state !== "closed") return null;
  return (
    <Alert color="yellow" radius={0} py={6} role="status">
      {t("offlineLine")}
    </Alert>
  );
}

function Preferences() {
  const { t, language } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap={6}>
      <NativeSelect
        size="xs"
        aria-label={t("language")}
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t("theme")}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as "auto" | "light" | "dark")}
        data={[
          { value: "auto", label: t("auto") },
          { value: "light", label: t("light") },
          { value: "dark", label: t("dark") },
        ]}
      />
    </Stack>
  );
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

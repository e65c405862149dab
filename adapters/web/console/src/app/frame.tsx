import { ActionIcon, AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure, useHotkeys, useLocalStorage } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { parley } from "../shared/api/client.ts";
import { useAreas } from "../shared/api/console.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import { Loaded, Waiting } from "../shared/ui/common.tsx";
import { FaultFrame } from "../shared/ui/fault.tsx";
import { Icon } from "../shared/ui/icon.tsx";
import { Toasts } from "../shared/ui/toasts.tsx";
import { WaitingNotice } from "../shared/ui/waiting-questions.tsx";
import { areaAt, isPage } from "./areas.ts";
import { BRAND } from "./brand.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { FreshLists } from "./fresh-lists.tsx";
import { Navigation } from "./navigation.tsx";
import { NotHere } from "./not-found.tsx";
import { CommandPalette } from "./palette.tsx";

const Preferences = lazy(async () => ({ default: (await import("./preferences.tsx")).Preferences }));
const Companion = lazy(async () => ({ default: (await import("./companion/companion.tsx")).Companion }));
const WIDE = 212;
const NARROW = 58;

interface FrameProps {
  readonly username: string;
  readonly signedOut: () => void;
}

/** What stands around every page: the navigation, notices, and the page itself. */
export function Frame({ username, signedOut }: FrameProps) {
  const { t } = useTexts();
  const [isOpen, menu] = useDisclosure(false);
  const [isNarrow, setNarrow] = useLocalStorage({ key: "parley.narrow", defaultValue: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const areas = useAreas();
  useEffect(() => void import("./install-worker.ts").then(({ renewNotifications }) => renewNotifications()), []);
  useHotkeys([["Escape", menu.close]], []);
  const signOut = async () => {
    await parley.post("/api/logout");
    signedOut();
  };
  const isOff = areas.data !== undefined && isPage(path) && !areaAt(path, areas.data.items);
  const narrow = isNarrow && !isOpen;
  return (
    <>
      <button type="button" className="skip" onClick={focusMain}>
        {t("skip")}
      </button>
      <AppShell
        header={{ height: { base: 48, sm: 0 } }}
        navbar={{ width: { base: 280, sm: narrow ? NARROW : WIDE }, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding={0}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md" gap="sm">
            <Burger opened={isOpen} onClick={menu.toggle} size="sm" aria-label={t("menu")} />
            <Brand />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar className="side" data-narrow={narrow}>
          <Group visibleFrom="sm" className="side-head" gap="xs" wrap="nowrap">
            {!narrow && <Brand />}
            <SideButton
              icon={narrow ? "expand" : "collapse"}
              label={t(narrow ? "widenMenu" : "narrowMenu")}
              onClick={() => setNarrow(!isNarrow)}
            />
          </Group>
          <CommandPalette areas={areas.data?.items ?? []} signOut={signOut} isNarrow={narrow} />
          <Loaded query={areas}>
            {({ items }) => <Navigation areas={items} isNarrow={narrow} chosen={menu.close} />}
          </Loaded>
          <div className="side-foot">
            <Suspense>
              <Companion isNarrow={narrow} />
            </Suspense>
            {!narrow && (
              <Suspense fallback={<div className="preferences" />}>
                <Preferences />
              </Suspense>
            )}
            <Group justify="space-between" wrap="nowrap" gap="xs" mt={narrow ? 0 : "xs"} pl={narrow ? 0 : 6}>
              {!narrow && (
                <Text size="sm" c="dimmed" truncate title={username}>
                  {username}
                </Text>
              )}
              <SideButton icon="signOut" label={t("signOut")} onClick={() => void signOut()} />
            </Group>
          </div>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} className="main">
          <ConnectionNotice />
          <WaitingNotice path={path} />
          <FreshLists />
          <div className="scroll">
            <FaultFrame place={path}>
              <Suspense fallback={<Waiting />}>{isOff ? <NotHere /> : <Outlet />}</Suspense>
            </FaultFrame>
          </div>
        </AppShell.Main>
      </AppShell>
      <Toasts />
    </>
  );
}

interface SideButtonProps {
  readonly icon: "signOut" | "expand" | "collapse";
  readonly label: string;
  readonly onClick: () => void;
}

/** Without the tooltip of areas, which is more than all of the frame. */
function SideButton({ icon, label, onClick }: SideButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </ActionIcon>
  );
}

function Brand() {
  return (
    <Group gap="xs" wrap="nowrap" style={{ flex: 1, minWidth: 0 }}>
      <img src="/assets/icon.svg" alt="" width={22} height={22} />
      <Text fw={700} truncate>
        {BRAND}
      </Text>
    </Group>
  );
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

import { UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { useAreas } from "../../shared/api/console.ts";
import { BRAND } from "../../shared/brand.ts";
import { useTexts } from "../../shared/i18n/i18n.ts";
import { lazy } from "../../shared/load-chunk.ts";
import textCss from "../../shared/styles/text.module.css";
import { Loaded, LoadingIndicator } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { Logo } from "../../shared/ui/element/logo.tsx";
import { OneTimeSecretDialog } from "../../shared/ui/feedback/one-time-secret.tsx";
import { ConfirmationNotice } from "../../shared/ui/feedback/pending-confirmations.tsx";
import { Toasts } from "../../shared/ui/feedback/toasts.tsx";
import { ErrorBoundary } from "../../shared/ui/page/error-boundary.tsx";
import { LocationContext } from "../../shared/ui/page/page-location.ts";
import { ChangeScopeContext } from "../../shared/ui/page/permissions.tsx";
import { findAreaAt, getChangeScope, hasPage } from "../areas.ts";
import { LiveListRefresh } from "../live-list-refresh.tsx";
import { AreaUnavailable } from "../not-found.tsx";
import { CommandPalette } from "../palette/command-palette.tsx";
import { useSignOut } from "../sign-in/use-sign-out.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import frameCss from "./frame.module.css";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Navigation } from "./navigation.tsx";

const AccountMenu = lazy(async () => {
  const [{ AccountMenu }] = await Promise.all([import("./account-menu.tsx"), import("../../shared/styles/areas.ts")]);
  return { default: AccountMenu };
});
const Companion = lazy(async () => ({ default: (await import("../companion/companion.tsx")).Companion }));

export interface FrameProps {
  readonly username: string;
  readonly onSignedOut: () => void;
}

/** The frame around every page: navigation, notices, and the page itself. */
export function Frame({ username, onSignedOut }: FrameProps) {
  const { t } = useTexts();
  const [isOpen, menu] = useDisclosure(false);
  const [isHelping, help] = useDisclosure(false);
  const [isNarrow, setNarrow] = useLocalStorage({ key: "parley.narrow", defaultValue: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const areas = useAreas();
  useEffect(() => void import("../service-worker.ts").then(({ renewPushSubscription }) => renewPushSubscription()), []);
  const burger = useRef<HTMLButtonElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const pagePath = toPagePath(path);
  // A newly opened page starts at its top.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [pagePath]);
  // Closing the menu would lose the focus, so it moves to the menu button or to the chosen page.
  const closeMenu = () => {
    if (isOpen) burger.current?.focus();
    menu.close();
  };
  const onNavigate = () => {
    if (isOpen) focusMain();
    menu.close();
  };
  useHotkeys([["Escape", closeMenu]], []);
  const { signOut, question } = useSignOut(onSignedOut);
  const findArea = (at: string) => areas.data && findAreaAt(at, areas.data.items);
  const currentArea = findArea(path);
  const isUnavailable = areas.data !== undefined && hasPage(path) && !currentArea;
  // On tablets the page needs the room.
  const isTight = useMediaQuery("(min-width: 48.01em) and (max-width: 66em)", false, {
    getInitialValueInEffect: false,
  });
  const narrow = (isNarrow || isTight) && !isOpen;
  return (
    <>
      {question}
      <button type="button" className={frameCss.skip} onClick={focusMain}>
        {t("skip")}
      </button>
      <div className={frameCss.frame} data-narrow={narrow} data-open={isOpen}>
        <section className={frameCss.top} aria-label={t("menu")}>
          <UnstyledButton
            ref={burger}
            className={frameCss.sideButton}
            onClick={menu.toggle}
            aria-label={t("menu")}
            aria-expanded={isOpen}
          >
            <Icon name={isOpen ? "close" : "menu"} size={22} />
          </UnstyledButton>
          <Brand />
        </section>
        <aside className={frameCss.side} data-narrow={narrow} aria-label={BRAND}>
          <SidebarHeader isNarrow={narrow} toggle={isTight ? undefined : () => setNarrow(!isNarrow)} />
          <CommandPalette
            areas={areas.data?.items ?? []}
            actions={{ signOut, showShortcuts: help.open }}
            isNarrow={narrow}
            onOpen={menu.close}
          />
          <Loaded query={areas}>
            {({ items }) => <Navigation areas={items} isNarrow={narrow} onNavigate={onNavigate} />}
          </Loaded>
          <div className={frameCss.sideFoot}>
            <Suspense>
              <Companion isNarrow={narrow} />
            </Suspense>
            <Suspense fallback={<div className={frameCss.account} />}>
              <AccountMenu username={username} isNarrow={narrow} showShortcuts={help.open} signOut={signOut} />
            </Suspense>
          </div>
        </aside>
        {isOpen && <div className={frameCss.scrim} onClick={closeMenu} aria-hidden="true" />}
        <main id="main" tabIndex={-1} className={frameCss.main}>
          <ConnectionNotice />
          <ConfirmationNotice path={path} />
          <LiveListRefresh />
          <div className={frameCss.scroll} ref={scroller}>
            <ErrorBoundary resetKey={path}>
              <Suspense fallback={<LoadingIndicator />}>
                <LocationContext value={{ path, findArea }}>
                  <ChangeScopeContext value={getChangeScope(currentArea)}>
                    {isUnavailable ? <AreaUnavailable /> : <Outlet />}
                  </ChangeScopeContext>
                </LocationContext>
              </Suspense>
            </ErrorBoundary>
          </div>
          <div id="menus" />
        </main>
      </div>
      <KeyboardHelp isOpen={isHelping} open={help.open} close={help.close} />
      <OneTimeSecretDialog />
      <Toasts />
    </>
  );
}

interface SidebarHeaderProps {
  readonly isNarrow: boolean;
  /** Undefined where only the narrow sidebar fits. */
  readonly toggle: (() => void) | undefined;
}

function SidebarHeader({ isNarrow, toggle }: SidebarHeaderProps) {
  const { t } = useTexts();
  const label = t(isNarrow ? "widenMenu" : "narrowMenu");
  return (
    <div className={frameCss.sideHead}>
      <Brand isNarrow={isNarrow} />
      {toggle && (
        <UnstyledButton className={frameCss.sideButton} title={label} aria-label={label} onClick={toggle}>
          <Icon name={isNarrow ? "expand" : "collapse"} />
        </UnstyledButton>
      )}
    </div>
  );
}

function Brand({ isNarrow = false }: { readonly isNarrow?: boolean }) {
  return (
    <span className={frameCss.brand}>
      <Logo size={28} />
      {!isNarrow && <span className={textCss.oneLine}>{BRAND}</span>}
    </span>
  );
}

/** Returns the path of the page: a record open beside its list belongs to the list's page. */
function toPagePath(path: string): string {
  return path.startsWith("/area/") ? path.split("/").slice(0, 3).join("/") : path;
}

function focusMain(): void {
  document.getElementById("main")?.focus();
}

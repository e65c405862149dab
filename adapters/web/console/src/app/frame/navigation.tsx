import { UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { NavigationArea } from "../../shared/api/console.ts";
import { useTexts } from "../../shared/i18n/i18n.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import textCss from "../../shared/styles/text.module.css";
import { toggle } from "../../shared/toggle.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { DeadLetterCount } from "../../shared/ui/feedback/dead-letter-count.tsx";
import { ConfirmationCount } from "../../shared/ui/feedback/pending-confirmations.tsx";
import { findAreaAt, toAreaPath } from "../areas.ts";
import navigationCss from "./navigation.module.css";

type Group = NavigationArea["group"];

interface NavigationProps {
  /** In the order of the service. */
  readonly areas: readonly NavigationArea[];
  /** True to show icons only. */
  readonly isNarrow: boolean;
  readonly onNavigate: () => void;
}

/** The navigation of all areas in collapsible groups. The group of the open page is always expanded. */
export function Navigation({ areas, isNarrow, onNavigate }: NavigationProps) {
  const { t } = useTexts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const current = findAreaAt(path, areas);
  const [folded, setFolded] = useLocalStorage<readonly Group[]>({ key: "parley.folded", defaultValue: [] });
  return (
    <nav className={navigationCss.nav} aria-label={t("menu")} data-narrow={isNarrow}>
      {[...Map.groupBy(areas, ({ group }) => group)].map(([group, members]) => {
        const isOpen = isNarrow || !folded.includes(group);
        return (
          <div key={group}>
            {!isNarrow && (
              <UnstyledButton
                className={navigationCss.navGroup}
                aria-expanded={isOpen}
                onClick={() => setFolded((before) => [...toggle(before, group)])}
              >
                {t(`group_${group}`)}
                <Icon name="chevron" size={14} />
              </UnstyledButton>
            )}
            {members
              .filter(({ id }) => isOpen || id === current?.id)
              .map((area) => (
                <NavigationLink
                  key={area.id}
                  area={area}
                  isCurrent={area.id === current?.id}
                  isNarrow={isNarrow}
                  onNavigate={onNavigate}
                />
              ))}
          </div>
        );
      })}
    </nav>
  );
}

interface NavigationLinkProps extends Omit<NavigationProps, "areas"> {
  readonly area: NavigationArea;
  readonly isCurrent: boolean;
}

function NavigationLink({ area, isCurrent, isNarrow, onNavigate }: NavigationLinkProps) {
  const localize = useLocalized();
  const title = localize(area.title);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <Link
      ref={link}
      to={toAreaPath(area)}
      className={navigationCss.navLink}
      aria-current={isCurrent ? "page" : undefined}
      {...(isNarrow && { title, "aria-label": title })}
      onClick={onNavigate}
    >
      <Icon name={area.icon} />
      {!isNarrow && <span className={textCss.oneLine}>{title}</span>}
      {area.id === "mcp" && <ConfirmationCount />}
      {area.id === "gateway" && <DeadLetterCount />}
    </Link>
  );
}

import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley, type Shapes } from "../../api/client.ts";
import { createTexts } from "../../i18n/i18n.ts";
import { useLocalized } from "../../i18n/use-localized.ts";
import { formatTime } from "../common.tsx";
import findingCss from "./finding.module.css";
import { RestartButton } from "./restart.tsx";

export type Finding = Shapes["Finding"];

const useTexts = createTexts("finding", {
  problem: ["problem", "故障"],
  warning: ["warning", "警告"],
  goThere: ["Fix it", "前往处理"],
});

const POLL_MS = 15_000;

/** Findings of the periodic checks. */
export const useFindings = () =>
  useQuery({
    queryKey: ["findings"],
    queryFn: () => parley.get("/api/system/findings"),
    refetchInterval: POLL_MS,
    // A user who returns may have fixed something in between.
    refetchOnMount: "always",
  });

/** Findings that a restart resolves. */
const RESTART_FINDINGS = new Set(["settings.restart", "host.restart", "host.version", "host.packages"]);

const COLORS = { problem: "red", warning: "yellow" } as const;

interface FindingRowProps {
  readonly finding: Finding;
  /** True when the finding's page is already open. */
  readonly isHere?: boolean;
}

/** A finding, with a link to the page that fixes it. */
export function FindingRow({ finding, isHere = false }: FindingRowProps) {
  const { t, language } = useTexts();
  const localize = useLocalized();
  const { said, advice, level, page } = finding;
  const hasLink = page !== undefined && !isHere;
  const needsRestart = RESTART_FINDINGS.has(finding.key);
  return (
    <div className={findingCss.finding} data-testid="finding" data-finding={finding.key} data-level={level}>
      <span
        className={findingCss.dot}
        role="img"
        aria-label={t(level)}
        style={{ background: `var(--mantine-color-${COLORS[level]}-6)` }}
      />
      <div>
        <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
          {localizeTimes(toFullSentence(localize(said)), language)}
        </Text>
        <Text size="xs" c="dimmed">
          {toFullSentence(localize(advice))}
        </Text>
      </div>
      {(hasLink || needsRestart) && (
        <Group gap="xs">
          {needsRestart && <RestartButton isSmall />}
          {hasLink && (
            <Button component={Link} to={page} size="compact-sm" variant="default">
              {t("goThere")}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}

/** Replaces ISO times by localized ones. */
function localizeTimes(text: string, language: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => formatTime(iso, language));
}

/** Turns a message into a sentence: capitalized, with a full stop where none is. */
function toFullSentence(text: string): string {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1);
  if (/[.!?。！？]$/.test(capitalized)) return capitalized;
  return capitalized + (/\p{Script=Han}/u.test(capitalized) ? "。" : ".");
}

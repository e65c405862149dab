import { Badge, Button, Group, Switch, Text, UnstyledButton } from "@mantine/core";
import textCss from "../../shared/styles/text.module.css";
import { Failure, shortTimeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { RecordRow } from "../../shared/ui/record-table.tsx";
import { filter, type PlacedRule, type RuleListing } from "./api.ts";
import { useTexts } from "./texts.ts";
import { timesOf } from "./times.ts";

const CHANGED = [["filter_rule"]] as const;

interface RuleRowProps {
  readonly rule: PlacedRule;
  readonly listing: RuleListing;
  /** Absent: it is the first one. */
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
  readonly edit: () => void;
  readonly showHits: () => void;
}

export function RuleRow({ rule, listing, up, down, edit, showHits }: RuleRowProps) {
  const { t, language } = useTexts();
  const { tried, error } = useTried(CHANGED);
  const { id, pattern, type, action, filter_target, session_id, channel, enabled, window } = rule;
  const hits = listing.stats[id];
  return (
    <RecordRow
      testId="rule-row"
      cells={[
        <>
          {type === "regex" ? <code>{pattern}</code> : pattern}{" "}
          {listing.quarantined.includes(id) && (
            <Badge color="red" variant="light" title={t("setAsideHint")}>
              {t("setAside")}
            </Badge>
          )}
          {window && (
            <Text size="xs" c="dimmed" component="div" data-testid="rule-times">
              {timesOf(window, language)}{" "}
              {enabled && listing.outside_window.includes(id) && (
                <Badge size="sm" color="gray" variant="light" data-testid="rule-rests">
                  {t("rests")}
                </Badge>
              )}
            </Text>
          )}
          <Failure error={error} />
        </>,
        session_id || (channel === "global" ? t("everywhere") : channel),
        t(action),
        t(filter_target === "user" ? "fromUsers" : filter_target === "ai" ? "fromAi" : "fromBoth"),
        hits ? (
          <UnstyledButton
            key="hits"
            className={textCss.inlineLink}
            fz="sm"
            onClick={showHits}
            data-testid="rule-hits"
            aria-label={`${t("showHits")}: ${hits.hits}`}
            title={`${t("lastHit")}: ${shortTimeOf(hits.last_hit_at, language)}`}
          >
            {hits.hits}
          </UnstyledButton>
        ) : (
          <span key="hits" data-testid="rule-hits">
            0
          </span>
        ),
        <Switch
          key="enabled"
          size="sm"
          checked={enabled}
          onChange={tried(() => filter.update(id, { enabled: !enabled }))}
          aria-label={`${t("enabled")}: ${pattern}`}
        />,
      ]}
      actions={
        <>
          {(up ?? down) && (
            <Changes>
              <Group id={`move-${id}`} gap={0} wrap="nowrap">
                <IconButton
                  icon="sortUp"
                  size="sm"
                  label={t("moveUp", { name: pattern })}
                  onClick={up ?? (() => {})}
                  isDisabled={!up}
                  testId="rule-up"
                />
                <IconButton
                  icon="sortDown"
                  size="sm"
                  label={t("moveDown", { name: pattern })}
                  onClick={down ?? (() => {})}
                  isDisabled={!down}
                  testId="rule-down"
                />
              </Group>
            </Changes>
          )}
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t("edit")}
          </Button>
          <ConfirmButton
            label={t("remove")}
            what={pattern}
            text={t("removeRule")}
            run={tried(() => filter.remove(id), { throws: true })}
          />
        </>
      }
    />
  );
}

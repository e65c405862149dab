import { Badge, Button, Group, Switch, Text, UnstyledButton } from "@mantine/core";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatShortTime, useAction } from "../../shared/ui/common.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { filter, type RuleListing, type ScopedRule } from "./api.ts";
import { formatSchedule } from "./format-schedule.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["filter_rule"]] as const;

interface RuleRowProps {
  readonly rule: ScopedRule;
  readonly listing: RuleListing;
  /** Undefined for the first rule of its list. */
  readonly up: (() => void) | undefined;
  readonly down: (() => void) | undefined;
  readonly edit: () => void;
  readonly showHits: () => void;
}

export function RuleRow({ rule, listing, up, down, edit, showHits }: RuleRowProps) {
  const { t, language } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  const { id, pattern, type, action, filter_target, session_id, channel, enabled, window } = rule;
  const hits = listing.stats[id];
  return (
    <RecordRow
      testId="rule-row"
      cells={[
        <>
          {type === "regex" ? <code>{pattern}</code> : pattern}{" "}
          {listing.quarantined.includes(id) && (
            <Badge color="red" variant="light" title={t("quarantinedHint")}>
              {t("quarantined")}
            </Badge>
          )}
          {window && (
            <Text size="xs" c="dimmed" component="div" data-testid="rule-times">
              {formatSchedule(window, language)}{" "}
              {enabled && listing.outside_window.includes(id) && (
                <Badge size="sm" color="gray" variant="light" data-testid="rule-inactive">
                  {t("inactiveNow")}
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
            title={`${t("lastHit")}: ${formatShortTime(hits.last_hit_at, language)}`}
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
          onChange={toHandler(() => filter.update(id, { enabled: !enabled }))}
          aria-label={`${t("enabled")}: ${pattern}`}
        />,
      ]}
      actions={
        <>
          {(up ?? down) && (
            <RequireChangeScope>
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
            </RequireChangeScope>
          )}
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t("edit")}
          </Button>
          <ConfirmButton
            label={t("remove")}
            what={pattern}
            text={t("removeRule")}
            run={toHandler(() => filter.remove(id), { throws: true })}
          />
        </>
      }
    />
  );
}

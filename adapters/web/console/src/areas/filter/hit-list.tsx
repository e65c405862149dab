import { Badge, Group, NativeSelect, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import textCss from "../../shared/styles/text.module.css";
import { formatShortTime, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { type FilterHit, filter, type RuleListing, type ScopedRule, toRuleList, toRuleName } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["filter_hit"]] as const;
const MAX_RULE_OPTIONS = 200;

interface HitListProps {
  readonly listing: RuleListing;
  /** Id of the rule to show the hits of; "" for all. */
  readonly ruleId: string;
  readonly onSelectRule: (ruleId: string) => void;
}

/** Filter hits, newest first. */
export function HitList({ listing, ruleId, onSelectRule }: HitListProps) {
  const { t } = useTexts();
  const [times, setTimes] = useState({ since: "", until: "" });
  const { toHandler } = useAction(QUERY_KEYS);
  const params = {
    ...(ruleId !== "" && { rule: ruleId }),
    ...(times.since !== "" && { since: new Date(times.since).toISOString() }),
    ...(times.until !== "" && { until: new Date(times.until).toISOString() }),
  };
  const hits = usePagedList({
    queryKey: ["filter_hit", "list", params],
    read: (page) => filter.listHits({ ...params, ...page }),
    getId: ({ id }) => id,
  });
  const rules = new Map(toRuleList(listing).map((one) => [one.id, one]));
  const time = (name: keyof typeof times) => ({
    kind: "moment" as const,
    value: times[name],
    onChange: (at: string) => setTimes((before) => ({ ...before, [name]: at })),
  });
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t("hitsHint")}{" "}
        <Link to="/settings" className={textCss.inlineLink}>
          {t("hitsSettings")}
        </Link>
      </Text>
      <Group align="flex-end" gap="sm" mb="sm">
        <NativeSelect
          label={t("hitRule")}
          data={[{ value: "", label: t("allRules") }, ...toRuleOptions(listing, rules, ruleId)]}
          value={ruleId}
          onChange={({ currentTarget }) => onSelectRule(currentTarget.value)}
          style={{ flex: "1 1 12rem" }}
          data-testid="hit-rule"
        />
        <TimeInput {...time("since")} label={t("hitsSince")} data-testid="hits-since" />
        <TimeInput {...time("until")} label={t("hitsUntil")} data-testid="hits-until" />
      </Group>
      <RecordList
        query={hits}
        getId={({ id }) => id}
        columns={[t("hitText"), t("hitRule"), t("hitWhat"), t("hitWhen")]}
        actions={t("more")}
        empty={<Empty icon="filter" title={t("noHits")} isSmall />}
        row={(hit) => <HitRow hit={hit} rules={rules} />}
      >
        <Group justify="flex-end" mt="sm">
          <ConfirmButton
            label={t("clearHits")}
            text={t("clearHitsHint")}
            testId="clear-hits"
            run={toHandler(() => filter.clearHits(), { throws: true })}
          />
        </Group>
      </RecordList>
    </>
  );
}

/** Returns the rules with hits, the latest first, and the selected one. */
function toRuleOptions({ stats }: RuleListing, rules: ReadonlyMap<string, ScopedRule>, selected: string) {
  const found = Object.entries(stats)
    .sort(([, a], [, b]) => b.last_hit_at.localeCompare(a.last_hit_at))
    .slice(0, MAX_RULE_OPTIONS)
    .map(([id]) => id);
  const ids = selected === "" || found.includes(selected) ? found : [...found, selected];
  return ids.map((id) => ({ value: id, label: toRuleLabel(rules.get(id)) ?? id }));
}

const toRuleLabel = (rule: ScopedRule | undefined) => rule && toRuleName(rule);

interface HitRowProps {
  readonly hit: FilterHit;
  readonly rules: ReadonlyMap<string, ScopedRule>;
}

function HitRow({ hit, rules }: HitRowProps) {
  const { t, language } = useTexts();
  const channelName = useChannelName();
  const { text, sender, direction, blocked, channel, session_id, created_at } = hit;
  const ruleLabels = hit.rules.map((id) => toRuleLabel(rules.get(id)) ?? t("deletedRule"));
  return (
    <RecordRow
      testId="hit-row"
      cells={[
        <Text key="text" size="sm" lineClamp={3} dir="auto">
          {text}
        </Text>,
        ruleLabels.join(", "),
        <Group key="what" gap={6}>
          <Badge variant="light" color={blocked ? "red" : "gray"}>
            {t(blocked ? "hitBlocked" : "hitChanged")}
          </Badge>
          {direction === "ai" ? t("fromAi") : sender}
        </Group>,
        `${formatShortTime(created_at, language)} · ${channelName(channel)}`,
      ]}
      actions={
        <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className={textCss.inlineLink}>
          {t("openConversation")}
        </Link>
      }
    />
  );
}

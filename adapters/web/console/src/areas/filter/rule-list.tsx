import { Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { type RuleListing, type ScopedRule, toRuleList } from "./api.ts";
import { RuleGroup } from "./rule-group.tsx";
import { RuleTable } from "./rule-table.tsx";
import { useTexts } from "./texts.ts";

interface RulesProps {
  readonly listing: RuleListing;
  readonly add: () => void;
  readonly edit: (rule: ScopedRule) => void;
  readonly showHits: (ruleId: string) => void;
}

/** All rules, with groups collapsed. */
export function RuleList({ listing, add, edit, showHits }: RulesProps) {
  const { t } = useTexts();
  const [channel, setChannel] = useState("");
  // A message that a rule changed links here with `?rule=<id>`.
  const initialWords = useSearchText("rule") ?? "";
  const [words, setWords] = useState(initialWords);
  const search = useDeferredValue(words).trim().toLowerCase();
  const rules = useMemo(() => toRuleList(listing), [listing]);
  const matchingRules = useMemo(
    () =>
      rules.filter(
        (rule) =>
          (channel === "" || rule.channel === channel) &&
          (search === "" ||
            `${rule.pattern}\n${rule.session_id}\n${rule.id}\n${rule.group ?? ""}`.toLowerCase().includes(search)),
      ),
    [rules, channel, search],
  );
  const { ungrouped, groups } = useMemo(() => groupRules(matchingRules), [matchingRules]);
  const allGroups = useMemo(() => groupRules(rules).groups, [rules]);
  const scopes = [
    { value: "", label: t("allRules") },
    { value: "global", label: t("everywhere") },
    ...Object.keys(listing.rules.channels).map((id) => ({ value: id, label: id })),
  ];
  const listProps = { listing, edit, showHits };
  return (
    <>
      <Group align="flex-end" gap="sm" mb="sm">
        <NativeSelect
          label={t("place")}
          data={scopes}
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value)}
        />
        <TextInput
          aria-label={t("searchShort")}
          placeholder={t("searchShort")}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
          style={{ flex: "1 1 12rem" }}
          data-testid="rule-search"
        />
        <Text size="sm" c="dimmed" pb={6} data-testid="rule-count">
          {matchingRules.length} / {rules.length}
        </Text>
      </Group>
      {matchingRules.length === 0 ? (
        rules.length === 0 ? (
          <Empty
            icon="filter"
            title={t("noRules")}
            hint={t("noRulesHint")}
            action={{ label: t("addRule"), run: add }}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t("noRulesFound")}
          </Text>
        )
      ) : (
        <>
          {[...groups].map(([name, members]) => (
            <RuleGroup
              key={name}
              name={name}
              rules={members}
              all={allGroups.get(name) ?? members}
              // A search expands the groups with matches.
              isSearching={search !== ""}
              {...listProps}
            />
          ))}
          {ungrouped.length > 0 && <RuleTable rules={ungrouped} {...listProps} />}
        </>
      )}
    </>
  );
}

/** Splits rules into single ones and groups, in the order of each group's first rule. */
function groupRules(rules: readonly ScopedRule[]) {
  const ungrouped = rules.filter(({ group }) => group === undefined);
  const groups = Map.groupBy(
    rules.filter(({ group }) => group !== undefined),
    ({ group }) => group ?? "",
  );
  return { ungrouped, groups };
}

import { useEffect, useRef } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { RecordTable } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { filter, type PlacedRule, type RuleListing } from "./api.ts";
import { RuleRow } from "./rule-row.tsx";
import { useTexts } from "./texts.ts";

const STEP = 100;

export interface ShownRules {
  readonly listing: RuleListing;
  readonly edit: (rule: PlacedRule) => void;
  readonly showHits: (ruleId: string) => void;
}

interface RuleTableProps extends ShownRules {
  readonly rules: readonly PlacedRule[];
}

/** Rules in their order; each moves past the next one of its list that is shown. */
export function RuleTable({ rules, listing, edit, showHits }: RuleTableProps) {
  const { t } = useTexts();
  // All of them are here already.
  const longer = useLonger(STEP, Number.POSITIVE_INFINITY);
  const { tried, error } = useTried([["filter_rule"]]);
  const moved = useRef<{ readonly id: string; readonly isUp: boolean }>(undefined);
  const table = useRef<HTMLDivElement>(null);
  // A row that stands elsewhere now has lost the focus: who moves it on by the keyboard goes on.
  useEffect(() => {
    const last = moved.current;
    if (!last || rules.length === 0) return;
    moved.current = undefined;
    const [up, down] = table.current?.querySelectorAll<HTMLButtonElement>(`#move-${last.id} button`) ?? [];
    const wanted = last.isUp ? up : down;
    (wanted?.disabled ? (last.isUp ? down : up) : wanted)?.focus();
  }, [rules]);
  const shown = rules.slice(0, longer.limit);
  const neighbours = neighboursOf(rules);
  return (
    <div ref={table}>
      <RecordTable
        columns={[t("pattern"), t("place"), t("ruleAction"), t("target"), t("hits"), t("enabled")]}
        actions={t("more")}
      >
        {shown.map((rule) => {
          const { before, after } = neighbours.get(rule.id) ?? {};
          const move = (isUp: boolean, beside: string) =>
            tried(async () => {
              moved.current = { id: rule.id, isUp };
              await filter.move(rule.id, isUp ? { before: beside } : { after: beside });
            });
          return (
            <RuleRow
              key={rule.id}
              rule={rule}
              listing={listing}
              up={before === undefined ? undefined : move(true, before)}
              down={after === undefined ? undefined : move(false, after)}
              edit={() => edit(rule)}
              showHits={() => showHits(rule.id)}
            />
          );
        })}
      </RecordTable>
      <Failure error={error} />
      <ShowMore {...longer} shown={shown.length} total={rules.length} />
    </div>
  );
}

interface Neighbours {
  readonly before?: string;
  readonly after?: string;
}

/** The next ones of the same list, by id. */
function neighboursOf(rules: readonly PlacedRule[]): ReadonlyMap<string, Neighbours> {
  const neighbours = new Map<string, Neighbours>();
  const last = new Map<string, string>();
  for (const { id, channel, session_id } of rules) {
    const list = `${channel}\n${session_id}`;
    const before = last.get(list);
    last.set(list, id);
    neighbours.set(id, before === undefined ? {} : { before });
    if (before !== undefined) neighbours.set(before, { ...neighbours.get(before), after: id });
  }
  return neighbours;
}

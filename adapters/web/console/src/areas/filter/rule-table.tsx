import { useEffect, useRef } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { RecordTable } from "../../shared/ui/table/record-table.tsx";
import { useFirstItems } from "../../shared/ui/table/use-paged-list.ts";
import { filter, type RuleListing, type ScopedRule } from "./api.ts";
import { RuleRow } from "./rule-row.tsx";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 100;

export interface RuleListProps {
  readonly listing: RuleListing;
  readonly edit: (rule: ScopedRule) => void;
  readonly showHits: (ruleId: string) => void;
}

interface RuleTableProps extends RuleListProps {
  readonly rules: readonly ScopedRule[];
}

/** Rules in order; each moves past the next visible one of its list. */
export function RuleTable({ rules, listing, edit, showHits }: RuleTableProps) {
  const { t } = useTexts();
  const visibleRules = useFirstItems(rules, PAGE_SIZE);
  const { toHandler, error } = useAction([["filter_rule"]]);
  const lastMove = useRef<{ readonly id: string; readonly isUp: boolean }>(undefined);
  const table = useRef<HTMLDivElement>(null);
  // A moved row has lost the focus; it is restored, so that keyboard users can move the row further.
  useEffect(() => {
    const last = lastMove.current;
    if (!last || rules.length === 0) return;
    lastMove.current = undefined;
    const [up, down] = table.current?.querySelectorAll<HTMLButtonElement>(`#move-${last.id} button`) ?? [];
    const button = last.isUp ? up : down;
    (button?.disabled ? (last.isUp ? down : up) : button)?.focus();
  }, [rules]);
  const neighbors = findNeighbors(rules);
  return (
    <div ref={table}>
      <RecordTable
        columns={[t("pattern"), t("place"), t("ruleAction"), t("target"), t("hits"), t("enabled")]}
        actions={t("more")}
      >
        {visibleRules.data.items.map((rule) => {
          const { before, after } = neighbors.get(rule.id) ?? {};
          const move = (isUp: boolean, beside: string) =>
            toHandler(async () => {
              lastMove.current = { id: rule.id, isUp };
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
      <LoadMore list={visibleRules} isEndless />
    </div>
  );
}

interface Neighbors {
  readonly before?: string;
  readonly after?: string;
}

/** Returns the neighbours of each rule in its list, by id. */
function findNeighbors(rules: readonly ScopedRule[]): ReadonlyMap<string, Neighbors> {
  const neighbors = new Map<string, Neighbors>();
  const last = new Map<string, string>();
  for (const { id, channel, session_id } of rules) {
    const list = `${channel}\n${session_id}`;
    const before = last.get(list);
    last.set(list, id);
    neighbors.set(id, before === undefined ? {} : { before });
    if (before !== undefined) neighbors.set(before, { ...neighbors.get(before), after: id });
  }
  return neighbors;
}

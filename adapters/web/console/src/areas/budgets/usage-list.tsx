import { Text } from "@mantine/core";
import { formatTime } from "../../shared/ui/common.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type Budget, type BudgetUsage, budgets } from "./api.ts";
import { useTargetName } from "./target-name.ts";
import { useTexts } from "./texts.ts";
import { UsageBars } from "./usage-bars.tsx";

/** The targets of a budget with the amounts they have spent in this period. */
export function UsageList({ budget }: { readonly budget: Budget }) {
  const { t } = useTexts();
  const query = usePagedList({
    queryKey: ["budget", budget.id, "usage", "list"],
    read: (page) => budgets.listUsage(budget.id, page),
    getId: ({ target_id }) => target_id,
    refetchOnMount: "always",
  });
  return (
    <RecordList
      query={query}
      getId={({ target_id }) => target_id}
      columns={[t(`kind_${budget.applies_to}`), t("spent"), t("resets")]}
      empty={
        <Text size="sm" c="dimmed" mt="sm">
          {t("nothingUsed")}
        </Text>
      }
      isEndless
      row={(usage) => <UsageRow budget={budget} usage={usage} />}
    />
  );
}

function UsageRow({ budget, usage }: { readonly budget: Budget; readonly usage: BudgetUsage }) {
  const { language } = useTexts();
  const name = useTargetName(budget.applies_to, usage.target_id);
  return (
    <RecordRow
      testId="budget-usage-row"
      cells={[
        <span key="name">{name}</span>,
        <UsageBars key="usage" budget={budget} usage={usage} />,
        <span key="resets">{formatTime(usage.resets_at, language)}</span>,
      ]}
    />
  );
}

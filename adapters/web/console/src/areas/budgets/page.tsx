import { Badge, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findById } from "../../shared/api/client.ts";
import { Failure, formatShortTime, formatTime, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type Budget, budgets, QUERY_KEYS } from "./api.ts";
import { BudgetForm } from "./budget-form.tsx";
import { useTargetName } from "./target-name.ts";
import { useTexts } from "./texts.ts";
import { UsageBars } from "./usage-bars.tsx";
import { UsageList } from "./usage-list.tsx";

type OpenedDialog =
  | { readonly kind: "add" }
  | { readonly kind: "editTitle" | "usage"; readonly budget: Budget }
  | undefined;

/** The budgets with what is left of each, and their form. */
export function BudgetsPage() {
  const { t } = useTexts();
  const [opened, setOpened] = useState<OpenedDialog>();
  const list = usePagedList({
    queryKey: ["budget", "list"],
    read: (page) => budgets.list(page),
    getId: ({ id }) => id,
    refetchOnMount: "always",
  });
  const add = () => setOpened({ kind: "add" });
  const close = () => setOpened(undefined);
  const read = async (id: string) => findById((await list.refetch()).data ?? NO_ITEMS, id);
  return (
    <Page
      title={t("budgets")}
      hint={t("budgetsHint")}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={add} data-testid="add-budget">
          {t("add")}
        </Button>
      }
    >
      <RecordList
        query={list}
        getId={({ id }) => id}
        columns={[t("name"), t("appliesTo"), t("spent"), t("resets")]}
        actions={t("edit")}
        empty={<Empty icon="chart" title={t("none")} hint={t("noneHint")} action={{ label: t("add"), run: add }} />}
        isEndless
        row={(budget) => <BudgetRow budget={budget} open={(kind) => setOpened({ kind, budget })} />}
      />
      <Dialog opened={opened !== undefined} onClose={close} title={t(opened?.kind ?? "add")} size="lg">
        {opened?.kind === "add" && <BudgetForm budget={undefined} onDone={close} />}
        {opened?.kind === "editTitle" && (
          <BudgetForm budget={opened.budget} read={() => read(opened.budget.id)} onDone={close} />
        )}
        {opened?.kind === "usage" && <UsageList budget={opened.budget} />}
      </Dialog>
    </Page>
  );
}

const NO_ITEMS = { items: [] };
/** The list shows the target that has spent the most. */
const FIRST = { limit: 1, offset: 0 };

interface RowProps {
  readonly budget: Budget;
  readonly open: (kind: "editTitle" | "usage") => void;
}

function BudgetRow({ budget, open }: RowProps) {
  const { t, language } = useTexts();
  const { data } = useQuery({
    queryKey: ["budget", budget.id, "usage"],
    queryFn: () => budgets.listUsage(budget.id, FIRST),
    refetchOnMount: "always",
  });
  const [usage] = data?.items ?? [];
  const target = useTargetName(budget.applies_to, budget.target_id);
  return (
    <RecordRow
      testId="budget-row"
      cells={[
        <div key="name">
          <Text size="sm" fw={500}>
            {budget.name}
          </Text>
          {!budget.enabled && (
            <Badge variant="light" color="gray">
              {t("disabled")}
            </Badge>
          )}
        </div>,
        <div key="target">
          {target}
          <Text size="xs" c="dimmed">
            {t(`period_${budget.period}`)}
          </Text>
        </div>,
        <div key="usage" style={{ minWidth: "11rem" }}>
          {usage ? (
            <UsageBars budget={budget} usage={usage} />
          ) : (
            data && (
              <Text size="xs" c="dimmed">
                {t("nothingUsed")}
              </Text>
            )
          )}
          {usage && budget.applies_to !== "all" && budget.target_id === "" && (
            <MostUsed budget={budget} targetId={usage.target_id} others={(data?.total ?? 1) - 1} />
          )}
        </div>,
        <span key="resets" title={usage && formatTime(usage.resets_at, language)}>
          {usage && formatShortTime(usage.resets_at, language)}
        </span>,
      ]}
      actions={<BudgetActions budget={budget} open={open} />}
    />
  );
}

interface MostUsedProps {
  readonly budget: Budget;
  readonly targetId: string;
  readonly others: number;
}

function MostUsed({ budget, targetId, others }: MostUsedProps) {
  const { t } = useTexts();
  const name = useTargetName(budget.applies_to, targetId);
  return (
    <Text size="xs" c="dimmed">
      {others > 0 ? t("mostUsed", { name, count: others }) : name}
    </Text>
  );
}

function BudgetActions({ budget, open }: RowProps) {
  const { t } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  return (
    <>
      <Failure error={error} />
      <Button size="compact-sm" variant="subtle" onClick={() => open("usage")} data-testid="budget-usage">
        {t("usage")}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => open("editTitle")} data-testid="edit-budget">
        {t("edit")}
      </Button>
      <ConfirmButton
        label={t("remove")}
        what={budget.name}
        text={t("removeHint")}
        icon="trash"
        size="sm"
        run={toHandler(() => budgets.remove(budget.id), { throws: true })}
      />
    </>
  );
}

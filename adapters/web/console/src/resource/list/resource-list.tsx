import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../shared/api/client.ts";
import type { NavigationArea, ResourceColumn, ResourceView } from "../../shared/api/console.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { formatError, NotLoaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { type Column, DataTable, Pager } from "../../shared/ui/table/data-table.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { RecordDrawer } from "../form/record-drawer.tsx";
import { changeRecord, PAGE_SIZE, type ResourceRecord, recordName, useListState, useRecords } from "../records.ts";
import { useTexts } from "../texts.ts";
import { Cell } from "./cell.tsx";
import { Filters } from "./filters.tsx";
import { ActionDialog, isRecordAction, type PendingAction, RowMenu } from "./record-actions.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { ResourceMenu } from "./resource-menu.tsx";

interface ResourceListProps {
  readonly view: ResourceView;
  readonly area: NavigationArea;
  readonly record: string | undefined;
}

/** The table of a resource's records, with the drawers and dialogs of its actions. */
export function ResourceList({ view, area, record }: ResourceListProps) {
  const { t } = useTexts();
  const local = useLocalized();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leadOn = useNavigateIfHere();
  const [state, change] = useListState();
  const records = useRecords(view, state);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [recordsToDelete, setRecordsToDelete] = useState<readonly ResourceRecord[]>();
  const [pendingAction, setPendingAction] = useState<PendingAction>();
  const changed = () => refetch(queries, [view.kind]);
  const open = (id: string) => void navigate({ to: `/area/${area.id}/${encodeURIComponent(id)}`, search: true });
  const close = (isSaved: boolean) => void leadOn({ to: `/area/${area.id}`, search: true, ignoreBlocker: isSaved });
  const flip = async (one: ResourceRecord, field: string, isOn: boolean) => {
    try {
      const now = await changeRecord(view, one.id, { [field]: isOn }, one.revision);
      await changed();
      toast({ text: t("savedOne", { name: recordName(one) }), undo: () => void flip(now, field, !isOn) });
    } catch (error) {
      const isStale = error instanceof ApiError && error.key === "changed_meanwhile";
      if (isStale) await changed();
      toast({ text: isStale ? t("changedSince", { name: recordName(one) }) : formatError(error, t), isBad: true });
    }
  };
  const rows = records.data?.items;
  const total = records.data?.total ?? 0;
  const can = (verb: ResourceView["verbs"][number]) => view.verbs.includes(verb);
  const isNarrowed = Boolean(state.q) || state.filter !== undefined;
  const selectedRecords = rows?.filter(({ id }) => selected.has(id)) ?? [];
  const bulk = view.actions.filter((action) => action.bulk === true && isRecordAction(view, action));
  const columns = view.columns.map(
    (column, index): Column<ResourceRecord> => ({
      id: column.field,
      title: local(column.title),
      isSortable: view.sort.some((one) => one.replace(/^-/, "") === column.field) || TIME_COLUMNS.has(column.field),
      cell: (one) => (
        <RecordCell
          column={column}
          record={one}
          to={index === 0 && can("get") ? `/area/${area.id}/${encodeURIComponent(one.id)}` : undefined}
          flip={
            can("update") && column.field in view.edit.properties
              ? (isOn) => void flip(one, column.field, isOn)
              : undefined
          }
        />
      ),
    }),
  );
  const begin = () => open("new");
  const newTitle = t("newNamed", { name: local(view.title.one) });
  const isEmpty = rows?.length === 0;
  return (
    <Page
      title={local(area.title)}
      hint={isEmpty && !isNarrowed ? undefined : local(view.about)}
      isWide
      actions={
        <>
          {can("create") && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={begin} data-testid="new-record">
              {newTitle}
            </Button>
          )}
          <ResourceMenu view={view} state={state} onAction={setPendingAction} onChanged={changed} />
        </>
      }
    >
      {(!isEmpty || isNarrowed) && <Filters view={view} state={state} change={change} />}
      {selectedRecords.length > 0 && (
        <Group className={tableCss.chosen} gap="xs" data-testid="chosen">
          <Text size="sm">{t("chosen", { count: selectedRecords.length })}</Text>
          {bulk.map((action) => (
            <Button
              key={action.id}
              size="compact-sm"
              variant="light"
              onClick={() => setPendingAction({ action, records: selectedRecords })}
            >
              {local(action.title)}
            </Button>
          ))}
          {can("remove") && (
            <Button size="compact-sm" variant="light" color="red" onClick={() => setRecordsToDelete(selectedRecords)}>
              {t("remove")}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setSelected(new Set())}>
            {t("clearChoice")}
          </Button>
        </Group>
      )}
      {records.isError && <NotLoaded query={records} />}
      {isEmpty ? (
        isNarrowed ? (
          <Empty icon="search" title={t("noMatch")} />
        ) : (
          <Empty
            icon={area.icon}
            title={t("noneNamed", { name: local(view.title.many) })}
            hint={local(view.about)}
            {...(can("create") && { action: { label: newTitle, run: begin } })}
          />
        )
      ) : (
        // What could not be loaded is not on its way.
        (rows || !records.isError) && (
          <DataTable
            columns={columns}
            rows={rows}
            getId={({ id }) => id}
            getName={recordName}
            sort={state.sort ?? view.sort[0] ?? ""}
            sortBy={(sort) => change({ sort })}
            {...((can("remove") || bulk.length > 0) && { selected })}
            onSelect={setSelected}
            actions={(one) => (
              <RowMenu
                view={view}
                record={one}
                edit={can("update") ? () => open(one.id) : undefined}
                remove={can("remove") ? () => setRecordsToDelete([one]) : undefined}
                onAction={setPendingAction}
              />
            )}
            texts={{
              chooseAll: t("chooseAll"),
              chooseOne: (name) => t("chooseOne", { name }),
              sortBy: (name) => t("sortBy", { name }),
              actions: t("more"),
            }}
          />
        )
      )}
      <Pager
        page={state.page ?? 0}
        size={PAGE_SIZE}
        total={total}
        go={(page) => change({ page })}
        texts={{
          shown: (from, to, all) => t("rowsShown", { from: String(from), to: String(to), total: String(all) }),
          before: t("pageBefore"),
          after: t("pageAfter"),
        }}
      />
      {record !== undefined && <RecordDrawer key={record} view={view} id={record} close={close} />}
      {recordsToDelete && (
        <RemoveDialog
          view={view}
          records={recordsToDelete}
          close={() => setRecordsToDelete(undefined)}
          onRemoved={async (ids) => {
            setSelected((before) => before.difference(new Set(ids)));
            await changed();
          }}
        />
      )}
      {pendingAction && (
        <ActionDialog
          view={view}
          action={pendingAction}
          close={() => setPendingAction(undefined)}
          onChanged={changed}
        />
      )}
    </Page>
  );
}

const TIME_COLUMNS = new Set(["created_at", "updated_at"]);

interface RecordCellProps {
  readonly column: ResourceColumn;
  readonly record: ResourceRecord;
  readonly to: string | undefined;
  readonly flip: ((isOn: boolean) => void) | undefined;
}

function RecordCell({ column, record, to, flip }: RecordCellProps) {
  const cell = <Cell column={column} value={record[column.field]} flip={flip} name={recordName(record)} />;
  if (to === undefined) return cell;
  return (
    <Link to={to} search className={tableCss.recordLink}>
      {cell}
    </Link>
  );
}

import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../shared/api/client.ts";
import type { NavigationArea, ResourceColumn, ResourceView } from "../../shared/api/console.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { toggle } from "../../shared/toggle.ts";
import { formatError } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow, type RowSelection } from "../../shared/ui/table/record-table.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { RecordDrawer } from "../form/record-drawer.tsx";
import { changeRecord, type ResourceRecord, toRecordName, useListState, useRecords } from "../records.ts";
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

/** The table of a resource's records, with the drawer and dialogs for its actions. */
export function ResourceList({ view, area, record }: ResourceListProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const navigateIfHere = useNavigateIfHere();
  const [state, change] = useListState();
  const records = useRecords(view, state);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [recordsToDelete, setRecordsToDelete] = useState<readonly ResourceRecord[]>();
  const [pendingAction, setPendingAction] = useState<PendingAction>();
  const refetchRecords = () => refetch(queries, [view.kind]);
  const open = (id: string) => void navigate({ to: `/area/${area.id}/${encodeURIComponent(id)}`, search: true });
  const close = (isSaved: boolean) =>
    void navigateIfHere({ to: `/area/${area.id}`, search: true, ignoreBlocker: isSaved });
  const setField = async (one: ResourceRecord, field: string, isOn: boolean) => {
    try {
      const now = await changeRecord(view, one.id, { [field]: isOn }, one.revision);
      await refetchRecords();
      showToast({ text: t("savedOne", { name: toRecordName(one) }), undo: () => void setField(now, field, !isOn) });
    } catch (error) {
      const isStale = error instanceof ApiError && error.key === "changed_meanwhile";
      if (isStale) await refetchRecords();
      showToast({
        text: isStale ? t("changedSince", { name: toRecordName(one) }) : formatError(error, t),
        isBad: true,
      });
    }
  };
  const rows = records.data?.items;
  const can = (verb: ResourceView["verbs"][number]) => view.verbs.includes(verb);
  const isFiltered = Boolean(state.q) || state.filter !== undefined;
  const selectedRecords = rows?.filter(({ id }) => selected.has(id)) ?? [];
  const bulk = view.actions.filter((action) => action.bulk === true && isRecordAction(view, action));
  const isSelectable = can("remove") || bulk.length > 0;
  const openNew = () => open("new");
  const newTitle = t("newNamed", { name: localize(view.title.one) });
  const isEmpty = rows?.length === 0;
  return (
    <Page
      title={localize(area.title)}
      hint={isEmpty && !isFiltered ? undefined : localize(view.about)}
      isWide
      actions={
        <>
          {can("create") && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={openNew} data-testid="new-record">
              {newTitle}
            </Button>
          )}
          <ResourceMenu view={view} state={state} onAction={setPendingAction} onChanged={refetchRecords} />
        </>
      }
    >
      {(!isEmpty || isFiltered) && <Filters view={view} state={state} change={change} />}
      {selectedRecords.length > 0 && (
        <Group className={tableCss.selectionBar} gap="xs" data-testid="selection-bar">
          <Text size="sm">{t("selected", { count: selectedRecords.length })}</Text>
          {bulk.map((action) => (
            <Button
              key={action.id}
              size="compact-sm"
              variant="light"
              onClick={() => setPendingAction({ action, records: selectedRecords })}
            >
              {localize(action.title)}
            </Button>
          ))}
          {can("remove") && (
            <Button size="compact-sm" variant="light" color="red" onClick={() => setRecordsToDelete(selectedRecords)}>
              {t("remove")}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setSelected(new Set())}>
            {t("clearSelection")}
          </Button>
        </Group>
      )}
      <RecordList
        query={records}
        getId={({ id }) => id}
        columns={view.columns.map(({ field, title }) =>
          isSortable(view, field) ? { title: localize(title), sortField: field } : localize(title),
        )}
        actions={t("more")}
        sorting={{ sort: state.sort ?? view.sort[0] ?? "", sortBy: (sort) => change({ sort }) }}
        selection={isSelectable && rows ? toSelectionOfAll(rows, selected, setSelected, t("selectAll")) : undefined}
        empty={
          isFiltered ? (
            <Empty icon="search" title={t("noMatch")} />
          ) : (
            <Empty
              icon={area.icon}
              title={t("noneNamed", { name: localize(view.title.many) })}
              hint={localize(view.about)}
              {...(can("create") && { action: { label: newTitle, run: openNew } })}
            />
          )
        }
        isEndless
        row={(one) => (
          <RecordRow
            testId="record-row"
            record={one.id}
            selection={isSelectable ? toSelection(one, selected, setSelected, t) : undefined}
            cells={view.columns.map((column, index) => (
              <RecordCell
                key={column.field}
                column={column}
                record={one}
                to={index === 0 && can("get") ? `/area/${area.id}/${encodeURIComponent(one.id)}` : undefined}
                onToggle={
                  can("update") && column.field in view.edit.properties
                    ? (isOn) => void setField(one, column.field, isOn)
                    : undefined
                }
              />
            ))}
            actions={
              <RowMenu
                view={view}
                record={one}
                edit={can("update") ? () => open(one.id) : undefined}
                remove={can("remove") ? () => setRecordsToDelete([one]) : undefined}
                onAction={setPendingAction}
              />
            }
          />
        )}
      />
      {record !== undefined && <RecordDrawer key={record} view={view} id={record} close={close} />}
      {recordsToDelete && (
        <RemoveDialog
          view={view}
          records={recordsToDelete}
          close={() => setRecordsToDelete(undefined)}
          onRemoved={async (ids) => {
            setSelected((before) => before.difference(new Set(ids)));
            await refetchRecords();
          }}
        />
      )}
      {pendingAction && (
        <ActionDialog
          view={view}
          action={pendingAction}
          close={() => setPendingAction(undefined)}
          onChanged={refetchRecords}
        />
      )}
    </Page>
  );
}

function isSortable(view: ResourceView, field: string): boolean {
  return view.sort.some((one) => one.replace(/^-/, "") === field) || TIME_COLUMNS.has(field);
}

const TIME_COLUMNS = new Set(["created_at", "updated_at"]);

type Selected = ReadonlySet<string>;

function toSelection(
  record: ResourceRecord,
  selected: Selected,
  select: (ids: Selected) => void,
  t: ReturnType<typeof useTexts>["t"],
): RowSelection {
  const { id } = record;
  return {
    label: t("selectOne", { name: toRecordName(record) }),
    isSelected: selected.has(id),
    toggle: () => select(toggle(selected, id)),
  };
}

/** The selection of all loaded rows. */
function toSelectionOfAll(
  rows: readonly ResourceRecord[],
  selected: Selected,
  select: (ids: Selected) => void,
  label: string,
): RowSelection {
  const ids = new Set(rows.map(({ id }) => id));
  const isSelected = ids.isSubsetOf(selected);
  const isPartial = !isSelected && !ids.isDisjointFrom(selected);
  return { label, isSelected, isPartial, toggle: () => select(isSelected ? new Set() : ids) };
}

interface RecordCellProps {
  readonly column: ResourceColumn;
  readonly record: ResourceRecord;
  readonly to: string | undefined;
  readonly onToggle: ((isOn: boolean) => void) | undefined;
}

function RecordCell({ column, record, to, onToggle }: RecordCellProps) {
  const cell = <Cell column={column} value={record[column.field]} onToggle={onToggle} name={toRecordName(record)} />;
  if (to === undefined) return cell;
  return (
    <Link to={to} search className={tableCss.recordLink}>
      {cell}
    </Link>
  );
}

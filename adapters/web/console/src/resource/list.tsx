import { Button, Group, Text } from "@mantine/core";
import type { ResourceColumn, ResourceView } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, api } from "../shared/api/client.ts";
import type { NavigationArea } from "../shared/api/console.ts";
import { useLocal } from "../shared/i18n/local.ts";
import { readAgain } from "../shared/live/read-again.ts";
import { NotLoaded, reasonOf } from "../shared/ui/common.tsx";
import { type Column, DataTable, Pager } from "../shared/ui/data-table.tsx";
import { Empty } from "../shared/ui/empty.tsx";
import { Icon } from "../shared/ui/icon.tsx";
import { Page } from "../shared/ui/page.tsx";
import tableCss from "../shared/ui/table.module.css";
import { toast } from "../shared/ui/toasts.tsx";
import { useLeadOn } from "../shared/ui/use-lead-on.ts";
import { isOfRecord, type Order, OrderDialog, RowMenu } from "./actions.tsx";
import { Cell } from "./cell.tsx";
import { Filters } from "./filters.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { RecordDrawer } from "./record-drawer.tsx";
import { nameOf, PAGE_SIZE, pathOf, type ResourceRecord, useListState, useRecords } from "./records.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { useTexts } from "./texts.ts";

interface ResourceListProps {
  readonly view: ResourceView;
  readonly area: NavigationArea;
  readonly record: string | undefined;
}

/** The records of a resource as a table, and over it whatever is done with one of them. */
export function ResourceList({ view, area, record }: ResourceListProps) {
  const { t } = useTexts();
  const local = useLocal();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leadOn = useLeadOn();
  const [state, change] = useListState();
  const records = useRecords(view, state);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [doomed, setDoomed] = useState<readonly ResourceRecord[]>();
  const [order, setOrder] = useState<Order>();
  const changed = () => readAgain(queries, [view.kind]);
  const open = (id: string) => void navigate({ to: `/area/${area.id}/${encodeURIComponent(id)}`, search: true });
  const close = (isSaved: boolean) => void leadOn({ to: `/area/${area.id}`, search: true, ignoreBlocker: isSaved });
  const flip = async (one: ResourceRecord, field: string, isOn: boolean) => {
    try {
      const options = { body: { [field]: isOn }, ifMatch: one.revision };
      const now = await api.call<ResourceRecord>("PUT", pathOf(view, one.id), options);
      await changed();
      toast({ text: t("savedOne", { name: nameOf(one) }), undo: () => void flip(now, field, !isOn) });
    } catch (error) {
      const isStale = error instanceof ApiError && error.key === "changed_meanwhile";
      if (isStale) await changed();
      toast({ text: isStale ? t("changedSince", { name: nameOf(one) }) : reasonOf(error, t), isBad: true });
    }
  };
  const rows = records.data?.items;
  const total = records.data?.total ?? 0;
  const can = (verb: ResourceView["verbs"][number]) => view.verbs.includes(verb);
  const isNarrowed = Boolean(state.q) || state.filter !== undefined;
  const picked = rows?.filter(({ id }) => chosen.has(id)) ?? [];
  const bulk = view.actions.filter((action) => action.bulk === true && isOfRecord(view, action));
  const columns = view.columns.map(
    (column, index): Column<ResourceRecord> => ({
      id: column.field,
      title: local(column.title),
      isSortable: view.sort.some((one) => one.replace(/^-/, "") === column.field) || TIMES.has(column.field),
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
          <MoreMenu view={view} state={state} order={setOrder} changed={changed} />
        </>
      }
    >
      {(!isEmpty || isNarrowed) && <Filters view={view} state={state} change={change} />}
      {picked.length > 0 && (
        <Group className={tableCss.chosen} gap="xs" data-testid="chosen">
          <Text size="sm">{t("chosen", { count: picked.length })}</Text>
          {bulk.map((action) => (
            <Button
              key={action.id}
              size="compact-sm"
              variant="light"
              onClick={() => setOrder({ action, records: picked })}
            >
              {local(action.title)}
            </Button>
          ))}
          {can("remove") && (
            <Button size="compact-sm" variant="light" color="red" onClick={() => setDoomed(picked)}>
              {t("remove")}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => choose(new Set())}>
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
            idOf={({ id }) => id}
            nameOf={nameOf}
            sort={state.sort ?? view.sort[0] ?? ""}
            sortBy={(sort) => change({ sort })}
            {...((can("remove") || bulk.length > 0) && { chosen })}
            choose={choose}
            actions={(one) => (
              <RowMenu
                view={view}
                record={one}
                edit={can("update") ? () => open(one.id) : undefined}
                remove={can("remove") ? () => setDoomed([one]) : undefined}
                order={setOrder}
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
      {doomed && (
        <RemoveDialog
          view={view}
          records={doomed}
          close={() => setDoomed(undefined)}
          removed={async (ids) => {
            choose((before) => before.difference(new Set(ids)));
            await changed();
          }}
        />
      )}
      {order && <OrderDialog view={view} order={order} close={() => setOrder(undefined)} changed={changed} />}
    </Page>
  );
}

const TIMES = new Set(["created_at", "updated_at"]);

interface RecordCellProps {
  readonly column: ResourceColumn;
  readonly record: ResourceRecord;
  readonly to: string | undefined;
  readonly flip: ((isOn: boolean) => void) | undefined;
}

function RecordCell({ column, record, to, flip }: RecordCellProps) {
  const cell = <Cell column={column} value={record[column.field]} flip={flip} name={nameOf(record)} />;
  if (to === undefined) return cell;
  return (
    <Link to={to} search className={tableCss.recordLink}>
      {cell}
    </Link>
  );
}

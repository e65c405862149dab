import { Button, Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { refetch } from "../../../shared/live/refetch.ts";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { toOption } from "../../../shared/ui/form/to-option.ts";
import { useLastKnown } from "../../../shared/ui/form/use-last-known.ts";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { books, type Entry } from "../api.ts";
import { forEachConcurrent } from "../for-each-concurrent.ts";
import { useTexts } from "../texts.ts";
import worldBooksCss from "../world-books.module.css";
import { EntryBulkBar } from "./entry-bulk-bar.tsx";
import { EntryForm } from "./entry-form.tsx";
import { EntryList } from "./entry-list.tsx";
import { computeMoves, sortByOrder } from "./insertion-order.ts";

const SORT_ORDERS = ["priority", "order", "name"] as const;
type SortOrder = (typeof SORT_ORDERS)[number];

/** The entries of a book beside the form of the open one. */
export function EntryEditor({ bookId, entries }: { readonly bookId: string; readonly entries: readonly Entry[] }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const queryKey = ["world_book", "entries", bookId];
  const [query, setQuery] = useState("");
  const [order, setOrder] = useState<SortOrder>("priority");
  const [openId, setOpenId] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { toHandler, error } = useAction([]);
  const searchText = useDeferredValue(query).trim().toLowerCase();
  const visibleEntries = useMemo(() => filterEntries(entries, searchText, order), [entries, searchText, order]);
  const allIds = useMemo(() => new Set(entries.map(({ id }) => id)), [entries]);
  const selectedIds = useMemo(() => new Set([...selected].filter((id) => allIds.has(id))), [selected, allIds]);
  const { record: open, isRemoved } = useLastKnown(entries, openId);
  /** Updates the cached list after a change, since refetching a long list for one entry is slow. */
  const update = (changed: readonly Entry[], removedIds: ReadonlySet<string> = new Set()) =>
    queries.setQueryData<readonly Entry[]>(queryKey, (before = []) => {
      const byId = new Map(changed.map((entry) => [entry.id, entry]));
      const known = new Set(before.map(({ id }) => id));
      const now = before.filter(({ id }) => !removedIds.has(id)).map((entry) => byId.get(entry.id) ?? entry);
      return [...changed.filter(({ id }) => !known.has(id)), ...now];
    });
  const move = (id: string, to: number) =>
    void toHandler(async () => {
      const changes = computeMoves(visibleEntries, id, to);
      const orders = new Map(changes.map((one) => [one.id, one.insertion_order]));
      // A running request would bring back the old order.
      await queries.cancelQueries({ queryKey });
      update(
        entries
          .filter((entry) => orders.has(entry.id))
          // With the revision it will have, so that its own change event causes no refetch.
          .map((entry) => ({
            ...entry,
            insertion_order: orders.get(entry.id) ?? 0,
            revision: entry.revision + 1,
          })),
      );
      const stored: Entry[] = [];
      try {
        await forEachConcurrent(changes, async ({ id: changed, insertion_order }) => {
          stored.push(await books.updateEntry(bookId, changed, { insertion_order }));
        });
      } catch (error) {
        void refetch(queries, queryKey);
        throw error;
      }
      await queries.cancelQueries({ queryKey });
      update(stored);
    })();
  return (
    <div className={worldBooksCss.wb}>
      <div className={worldBooksCss.wbSide}>
        <Group gap="xs" mb="xs" align="flex-end" wrap="nowrap">
          <TextInput
            aria-label={t("searchShort")}
            placeholder={t("findEntry")}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            style={{ flex: 1 }}
            data-testid="find-entry"
          />
          <NativeSelect
            aria-label={t("orderBy")}
            value={order}
            onChange={({ currentTarget }) => setOrder(toOption(SORT_ORDERS, currentTarget.value))}
            data={[
              { value: "priority", label: t("byPriority") },
              { value: "order", label: t("byOrder") },
              { value: "name", label: t("byName") },
            ]}
            w="8.5rem"
          />
        </Group>
        <Group justify="space-between" mb="xs">
          <Checkbox
            size="xs"
            label={
              selectedIds.size > 0
                ? t("selectedCount", { count: selectedIds.size })
                : `${visibleEntries.length} / ${entries.length}`
            }
            aria-label={t("selectAll")}
            checked={visibleEntries.length > 0 && visibleEntries.every(({ id }) => selectedIds.has(id))}
            indeterminate={selectedIds.size > 0 && !visibleEntries.every(({ id }) => selectedIds.has(id))}
            onChange={({ currentTarget }) =>
              setSelected(new Set(currentTarget.checked ? visibleEntries.map(({ id }) => id) : []))
            }
          />
          <RequireChangeScope>
            <Button
              size="compact-sm"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setOpenId("")}
              data-testid="new-entry"
            >
              {t("newEntry")}
            </Button>
          </RequireChangeScope>
        </Group>
        {selectedIds.size > 0 && (
          <EntryBulkBar
            bookId={bookId}
            entries={entries.filter(({ id }) => selectedIds.has(id))}
            onChange={update}
            onDone={() => setSelected(new Set())}
          />
        )}
        <Failure error={error} />
        <EntryList
          entries={visibleEntries}
          openId={openId}
          open={setOpenId}
          selected={selectedIds}
          onSelect={setSelected}
          {...(order === "order" && searchText === "" && { move })}
        />
      </div>
      {open || openId === "" ? (
        <EntryForm
          key={open?.id ?? "new"}
          bookId={bookId}
          entry={open}
          isRemoved={isRemoved}
          onReload={() => refetch(queries, queryKey)}
          onStored={(entry) => {
            update([entry]);
            setOpenId(entry.id);
          }}
          onRemoved={(id) => {
            update([], new Set([id]));
            setOpenId(undefined);
          }}
        />
      ) : (
        <Empty icon="book" title={entries.length === 0 ? t("noEntries") : t("selectEntry")} />
      )}
    </div>
  );
}

function filterEntries(entries: readonly Entry[], searchText: string, order: SortOrder): readonly Entry[] {
  const matches =
    searchText === ""
      ? entries
      : entries.filter(({ name, keywords, content, tags }) =>
          `${name}\n${keywords.join("\n")}\n${tags.join("\n")}\n${content}`.toLowerCase().includes(searchText),
        );
  if (order === "order") return sortByOrder(matches);
  if (order === "name") return [...matches].sort((a, b) => a.name.localeCompare(b.name));
  return [...matches].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

import { Button, Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { readAgain } from "../../shared/live/read-again.ts";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { useLastKnown } from "../../shared/ui/use-last-known.ts";
import { books, type Entry, withEach } from "./api.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { EntryForm } from "./entry-form.tsx";
import { EntryList } from "./entry-list.tsx";
import { inOrder, moved } from "./order.ts";
import { useTexts } from "./texts.ts";
import worldBooksCss from "./world-books.module.css";

type Order = "priority" | "order" | "name";

/** All entries of a book beside the one that is being written. */
export function Editor({ bookId, entries }: { readonly bookId: string; readonly entries: readonly Entry[] }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const queryKey = ["world_book", "entries", bookId];
  const [words, setWords] = useState("");
  const [order, setOrder] = useState<Order>("priority");
  const [openId, setOpenId] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { tried, error } = useTried([]);
  const wanted = useDeferredValue(words).trim().toLowerCase();
  const shown = useMemo(() => listed(entries, wanted, order), [entries, wanted, order]);
  const there = useMemo(() => new Set(entries.map(({ id }) => id)), [entries]);
  const kept = useMemo(() => new Set([...chosen].filter((id) => there.has(id))), [chosen, there]);
  const { record: open, isRemoved } = useLastKnown(entries, openId);
  /** What was stored is shown at once: a long list is not read again for one entry. */
  const put = (changed: readonly Entry[], gone: ReadonlySet<string> = new Set()) =>
    queries.setQueryData<readonly Entry[]>(queryKey, (before = []) => {
      const byId = new Map(changed.map((entry) => [entry.id, entry]));
      const known = new Set(before.map(({ id }) => id));
      const now = before.filter(({ id }) => !gone.has(id)).map((entry) => byId.get(entry.id) ?? entry);
      return [...changed.filter(({ id }) => !known.has(id)), ...now];
    });
  const move = (id: string, to: number) =>
    void tried(async () => {
      const changes = moved(shown, id, to);
      const orders = new Map(changes.map((one) => [one.id, one.insertion_order]));
      // An answer that is on its way tells of the order before.
      await queries.cancelQueries({ queryKey });
      put(
        entries
          .filter((entry) => orders.has(entry.id))
          // As it will be stored: the list is not read again for what it shows already.
          .map((entry) => ({
            ...entry,
            insertion_order: orders.get(entry.id) ?? 0,
            revision: entry.revision + 1,
          })),
      );
      const stored: Entry[] = [];
      try {
        await withEach(changes, async ({ id: changed, insertion_order }) => {
          stored.push(await books.updateEntry(bookId, changed, { insertion_order }));
        });
      } catch (error) {
        void readAgain(queries, queryKey);
        throw error;
      }
      await queries.cancelQueries({ queryKey });
      put(stored);
    })();
  return (
    <div className={worldBooksCss.wb}>
      <div className={worldBooksCss.wbSide}>
        <Group gap="xs" mb="xs" align="flex-end" wrap="nowrap">
          <TextInput
            aria-label={t("searchShort")}
            placeholder={t("find")}
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
            style={{ flex: 1 }}
            data-testid="find-entry"
          />
          <NativeSelect
            aria-label={t("orderBy")}
            value={order}
            onChange={({ currentTarget }) => setOrder(currentTarget.value as Order)}
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
            label={kept.size > 0 ? t("chosen", { count: kept.size }) : `${shown.length} / ${entries.length}`}
            aria-label={t("chooseAll")}
            checked={shown.length > 0 && shown.every(({ id }) => kept.has(id))}
            indeterminate={kept.size > 0 && !shown.every(({ id }) => kept.has(id))}
            onChange={({ currentTarget }) => setChosen(new Set(currentTarget.checked ? shown.map(({ id }) => id) : []))}
          />
          <Changes>
            <Button
              size="compact-sm"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setOpenId("")}
              data-testid="new-entry"
            >
              {t("newEntry")}
            </Button>
          </Changes>
        </Group>
        {kept.size > 0 && (
          <BulkBar
            bookId={bookId}
            entries={entries.filter(({ id }) => kept.has(id))}
            put={put}
            done={() => setChosen(new Set())}
          />
        )}
        <Failure error={error} />
        <EntryList
          entries={shown}
          openId={openId}
          open={setOpenId}
          chosen={kept}
          choose={setChosen}
          {...(order === "order" && wanted === "" && { move })}
        />
      </div>
      {open || openId === "" ? (
        <EntryForm
          key={open?.id ?? "new"}
          bookId={bookId}
          entry={open}
          isRemoved={isRemoved}
          again={() => readAgain(queries, queryKey)}
          stored={(entry) => {
            put([entry]);
            setOpenId(entry.id);
          }}
          removed={(id) => {
            put([], new Set([id]));
            setOpenId(undefined);
          }}
        />
      ) : (
        <Empty icon="book" title={entries.length === 0 ? t("noEntries") : t("pickEntry")} />
      )}
    </div>
  );
}

function listed(entries: readonly Entry[], wanted: string, order: Order): readonly Entry[] {
  const found =
    wanted === ""
      ? entries
      : entries.filter(({ name, keywords, content, tags }) =>
          `${name}\n${keywords.join("\n")}\n${tags.join("\n")}\n${content}`.toLowerCase().includes(wanted),
        );
  if (order === "order") return inOrder(found);
  if (order === "name") return [...found].sort((a, b) => a.name.localeCompare(b.name));
  return [...found].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

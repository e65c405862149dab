import { Button, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { toOption } from "../../../shared/ui/form/to-option.ts";
import { listNames } from "../../../shared/ui/text/list-names.ts";
import { books, type Entry, type EntryPatch } from "../api.ts";
import { forEachConcurrent } from "../for-each-concurrent.ts";
import { useTexts } from "../texts.ts";
import { toEntryName } from "./entry-name.ts";
import { ENTRY_KINDS } from "./entry-options.ts";

interface EntryBulkBarProps {
  readonly bookId: string;
  readonly entries: readonly Entry[];
  readonly onChange: (changed: readonly Entry[], removedIds?: ReadonlySet<string>) => void;
  readonly onDone: () => void;
}

type BulkField = "kind" | "tag" | "priority" | undefined;

/** Actions on all selected entries. */
export function EntryBulkBar({ bookId, entries, onChange, onDone }: EntryBulkBarProps) {
  const { t } = useTexts();
  const [field, setField] = useState<BulkField>();
  const [value, setValue] = useState<string | number>("");
  const { toHandler, isBusy, error } = useAction([]);
  const updateAll = (toPatch: (entry: Entry) => EntryPatch) =>
    toHandler(async () => {
      const changed: Entry[] = [];
      try {
        await forEachConcurrent(entries, async (entry) => {
          changed.push(await books.updateEntry(bookId, entry.id, toPatch(entry)));
        });
      } finally {
        onChange(changed);
      }
      setField(undefined);
    });
  const remove = async () => {
    const removedIds = new Set<string>();
    try {
      await forEachConcurrent(entries, async ({ id }) => {
        await books.removeEntry(bookId, id);
        removedIds.add(id);
      });
    } finally {
      onChange([], removedIds);
    }
    onDone();
  };
  const openField = (what: BulkField, initial: string | number) => () => {
    setField(what);
    setValue(initial);
  };
  const apply = updateAll((entry) => {
    if (field === "kind") return { entry_type: toOption(ENTRY_KINDS, String(value)) };
    if (field === "priority") return { priority: Number(value) };
    const tag = String(value).trim();
    return { tags: entry.tags.includes(tag) ? entry.tags : [...entry.tags, tag] };
  });
  return (
    <div>
      <Group gap={4} mb="xs" data-testid="bulk-bar">
        <Button size="compact-xs" variant="light" loading={isBusy} onClick={updateAll(() => ({ enabled: true }))}>
          {t("switchOn")}
        </Button>
        <Button size="compact-xs" variant="light" loading={isBusy} onClick={updateAll(() => ({ enabled: false }))}>
          {t("switchOff")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={openField("kind", "lore")}>
          {t("setKind")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={openField("tag", "")}>
          {t("addTag")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={openField("priority", 0)}>
          {t("setPriority")}
        </Button>
        <ConfirmButton
          label={t("remove")}
          what={listNames(entries.map(toEntryName))}
          text={t("removeEntries", { count: entries.length })}
          run={remove}
        />
      </Group>
      {field && (
        <Group gap="xs" mb="xs" wrap="nowrap">
          {field === "kind" && (
            <NativeSelect
              aria-label={t("kind")}
              value={String(value)}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
              data={ENTRY_KINDS.map((kind) => ({ value: kind, label: t(kind) }))}
            />
          )}
          {field === "tag" && (
            <TextInput
              aria-label={t("tags")}
              value={String(value)}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
          {field === "priority" && (
            <NumberInput aria-label={t("priority")} min={-1000} max={1000} value={value} onChange={setValue} />
          )}
          <Button onClick={apply} loading={isBusy} disabled={field === "tag" && String(value).trim() === ""}>
            {t("apply")}
          </Button>
        </Group>
      )}
      <Failure error={error} />
    </div>
  );
}

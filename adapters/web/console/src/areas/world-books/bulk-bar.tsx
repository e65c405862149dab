import { Button, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { someNames } from "../../shared/ui/some-names.ts";
import { books, type Entry, type EntryPatch, withEach } from "./api.ts";
import { entryName } from "./entry-name.ts";
import { KINDS } from "./kinds.ts";
import { useTexts } from "./texts.ts";

interface BulkBarProps {
  readonly bookId: string;
  readonly entries: readonly Entry[];
  readonly put: (changed: readonly Entry[], gone?: ReadonlySet<string>) => void;
  readonly done: () => void;
}

type Asked = "kind" | "tag" | "priority" | undefined;

/** What is done with all that are chosen. */
export function BulkBar({ bookId, entries, put, done }: BulkBarProps) {
  const { t } = useTexts();
  const [asked, setAsked] = useState<Asked>();
  const [value, setValue] = useState<string | number>("");
  const { tried, isBusy, error } = useTried([]);
  const change = (patchOf: (entry: Entry) => EntryPatch) =>
    tried(async () => {
      const changed: Entry[] = [];
      try {
        await withEach(entries, async (entry) => {
          changed.push(await books.updateEntry(bookId, entry.id, patchOf(entry)));
        });
      } finally {
        put(changed);
      }
      setAsked(undefined);
    });
  const remove = async () => {
    const gone = new Set<string>();
    try {
      await withEach(entries, async ({ id }) => {
        await books.removeEntry(bookId, id);
        gone.add(id);
      });
    } finally {
      put([], gone);
    }
    done();
  };
  const ask = (what: Asked, initial: string | number) => () => {
    setAsked(what);
    setValue(initial);
  };
  const apply = change((entry) => {
    if (asked === "kind") return { entry_type: value as Entry["entry_type"] };
    if (asked === "priority") return { priority: Number(value) };
    const tag = String(value).trim();
    return { tags: entry.tags.includes(tag) ? entry.tags : [...entry.tags, tag] };
  });
  return (
    <div>
      <Group gap={4} mb="xs" data-testid="bulk-bar">
        <Button size="compact-xs" variant="light" loading={isBusy} onClick={change(() => ({ enabled: true }))}>
          {t("switchOn")}
        </Button>
        <Button size="compact-xs" variant="light" loading={isBusy} onClick={change(() => ({ enabled: false }))}>
          {t("switchOff")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={ask("kind", "lore")}>
          {t("setKind")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={ask("tag", "")}>
          {t("addTag")}
        </Button>
        <Button size="compact-xs" variant="light" onClick={ask("priority", 0)}>
          {t("setPriority")}
        </Button>
        <ConfirmButton
          label={t("remove")}
          what={someNames(entries.map(entryName))}
          text={t("removeEntries", { count: entries.length })}
          run={remove}
        />
      </Group>
      {asked && (
        <Group gap="xs" mb="xs" wrap="nowrap">
          {asked === "kind" && (
            <NativeSelect
              aria-label={t("kind")}
              value={String(value)}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
              data={KINDS.map((kind) => ({ value: kind, label: t(kind) }))}
            />
          )}
          {asked === "tag" && (
            <TextInput
              aria-label={t("tags")}
              value={String(value)}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
          {asked === "priority" && (
            <NumberInput aria-label={t("priority")} min={-1000} max={1000} value={value} onChange={setValue} />
          )}
          <Button onClick={apply} loading={isBusy} disabled={asked === "tag" && String(value).trim() === ""}>
            {t("apply")}
          </Button>
        </Group>
      )}
      <Failure error={error} />
    </div>
  );
}

import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findById } from "../../shared/api/client.ts";
import { Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { listNames } from "../../shared/ui/text/list-names.ts";
import { type Kind, type Memory, memories, QUERY_KEYS, toExportPath } from "./api.ts";
import { ImportButton, ImportResult, useImportFile } from "./import-file.tsx";
import memoriesCss from "./memories.module.css";
import { KINDS, MemoryForm } from "./memory-form.tsx";
import { MergeForm } from "./merge-form.tsx";
import { useTexts } from "./texts.ts";
import { Timeline } from "./timeline.tsx";

const PAGE_SIZE = 100;
/** The timeline of memories by person and character, with their sources and earlier versions. */
export function MemoriesPage() {
  const { t } = useTexts();
  const [person, setPerson] = useState<string | null>(null);
  const [characterId, setCharacterId] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind | null>(null);
  const [searchText, setSearchText] = useState("");
  const [q] = useDebouncedValue(searchText.trim(), 300);
  const [edited, setEdited] = useState<Memory | "new">();
  const [selected, setSelected] = useState<ReadonlyMap<string, Memory>>(new Map());
  const [isMerging, setMerging] = useState(false);
  const { toHandler } = useAction(QUERY_KEYS);
  const importing = useImportFile();
  const params = {
    ...(person && { target_id: person }),
    ...(characterId && { character_id: characterId }),
    ...(kind && { kind }),
    ...(q && { q }),
  };
  const query = usePagedList({
    queryKey: ["memory", "list", params],
    read: (page) => memories.list({ ...params, ...page }),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
  });
  const people = useQuery({ queryKey: ["memory", "people"], queryFn: memories.listPeople });
  const knownPeople = people.data?.items ?? [];
  const isFiltered = person !== null || characterId !== null || kind !== null || q !== "";
  const persons = [...new Set(knownPeople.flatMap(({ target_id }) => target_id ?? []))].toSorted();
  const characters = new Map(
    knownPeople.flatMap(({ character_id: id, character_name: name }) => (id ? [[id, name || id]] : [])),
  );
  const toggleSelected = (memory: Memory) =>
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(memory.id)) next.set(memory.id, memory);
      return next;
    });
  const clearSelection = () => setSelected(new Map());
  return (
    <Page
      title={t("memories")}
      hint={t("memoriesHint")}
      actions={
        <>
          <Button
            component="a"
            href={toExportPath(params.target_id, params.character_id)}
            download
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            data-testid="export-memories"
          >
            {t("export")}
          </Button>
          <ImportButton {...importing} />
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setEdited("new")}
            data-testid="new-memory"
          >
            {t("add")}
          </Button>
        </>
      }
    >
      <ImportResult {...importing} />
      <Group gap="xs" mb="md" align="end">
        <Select
          {...SELECT_PROPS}
          aria-label={t("person")}
          placeholder={t("allPeople")}
          data={persons}
          value={person}
          onChange={setPerson}
          data-testid="memory-person"
        />
        <Select
          {...SELECT_PROPS}
          aria-label={t("character")}
          placeholder={t("allCharacters")}
          data={[...characters].map(([value, label]) => ({ value, label }))}
          value={characterId}
          onChange={setCharacterId}
        />
        <Select
          {...SELECT_PROPS}
          aria-label={t("kind")}
          placeholder={t("allKinds")}
          data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          value={kind}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? null)}
        />
        <TextInput
          style={{ flex: "2 1 12rem" }}
          aria-label={t("search")}
          placeholder={t("search")}
          value={searchText}
          maxLength={200}
          onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
          data-testid="memory-search"
        />
      </Group>
      {selected.size > 0 && (
        <Group gap="xs" mb="md" className={memoriesCss.memoryChosen} data-testid="memory-chosen">
          {selected.size > 1 && (
            <Button size="compact-sm" variant="light" onClick={() => setMerging(true)} data-testid="merge-memories">
              {t("merge", { count: selected.size })}
            </Button>
          )}
          <ConfirmButton
            label={t("forgetMany", { count: selected.size })}
            what={listNames([...selected.values()].map(({ title }) => title))}
            text={t("forgetHint")}
            run={toHandler(
              async () => {
                await memories.forget([...selected.keys()]);
                clearSelection();
              },
              { throws: true },
            )}
          />
          <Button size="compact-sm" variant="subtle" onClick={clearSelection}>
            {t("cancel")}
          </Button>
        </Group>
      )}
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="brain"
              title={t(isFiltered ? "noMatches" : "none")}
              {...(!isFiltered && { hint: t("noneHint"), action: { label: t("add"), run: () => setEdited("new") } })}
            />
          ) : (
            <>
              <Timeline items={items} selected={selected} onToggle={toggleSelected} edit={setEdited} />
              <LoadMore list={query} isEndless />
            </>
          )
        }
      </Loaded>
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={t(edited === "new" ? "add" : "editTitle")}
        size="lg"
      >
        {edited !== undefined && (
          <MemoryForm
            memory={edited === "new" ? undefined : edited}
            read={async () => findById((await query.refetch()).data ?? NO_ITEMS, edited === "new" ? "" : edited.id)}
            persons={persons}
            person={person}
            characterId={characterId}
            onDone={() => setEdited(undefined)}
          />
        )}
      </Dialog>
      <Dialog opened={isMerging} onClose={() => setMerging(false)} title={t("mergeTitle")} size="lg">
        {isMerging && (
          <MergeForm
            selected={[...selected.values()]}
            onDone={(isMerged) => {
              setMerging(false);
              if (isMerged) clearSelection();
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}

const NO_ITEMS = { items: [] };
const SELECT_PROPS = { style: { flex: "1 1 9rem" }, searchable: true, clearable: true } as const;

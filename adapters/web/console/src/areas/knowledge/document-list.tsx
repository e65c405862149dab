import { Badge, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import passageCss from "../../shared/styles/passage.module.css";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatShortTime, Loaded, useAction } from "../../shared/ui/common.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type KnowledgeDocument, knowledge } from "./api.ts";
import knowledgeCss from "./knowledge.module.css";
import { useTexts } from "./texts.ts";

/** Source value of documents written in the console. */
const MANUAL_SOURCE = "manual";
const QUERY_KEYS = [["document"]] as const;
const COLORS: Readonly<Record<KnowledgeDocument["index_status"], string>> = {
  pending: "gray",
  indexing: "blue",
  indexed: "parley",
  failed: "red",
  stale: "yellow",
};

interface DocumentListProps {
  readonly baseId: string;
  readonly setBaseId: (baseId: string) => void;
  readonly write: () => void;
}

/** The documents, the newest first. */
export function DocumentList({ baseId, setBaseId, write }: DocumentListProps) {
  const { t } = useTexts();
  const [searchText, setSearchText] = useState("");
  const [q] = useDebouncedValue(searchText, 300);
  const [open, setOpen] = useState<KnowledgeDocument>();
  const stats = useQuery({ queryKey: ["document", "stats"], queryFn: knowledge.getStats });
  const params = { q, base_id: baseId };
  const query = usePagedList({
    queryKey: ["document", "list", params],
    read: (page) => knowledge.list({ ...params, ...page }),
    getId: ({ id }) => id,
  });
  const bases = Object.keys(stats.data?.bases ?? {}).sort();
  const isFiltered = q !== "" || baseId !== "";
  return (
    <>
      {(isFiltered || (query.data?.total ?? 0) > 0) && (
        <Group gap="xs" align="flex-end">
          <TextInput
            style={{ flex: "1 1 12rem" }}
            aria-label={t("find")}
            placeholder={t("find")}
            value={searchText}
            maxLength={200}
            onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
            data-testid="document-search"
          />
          <NativeSelect
            aria-label={t("base")}
            value={baseId}
            onChange={({ currentTarget }) => setBaseId(currentTarget.value)}
            data={[{ value: "", label: t("allBases") }, ...bases]}
          />
        </Group>
      )}
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("title"), t("base"), t("size"), t("state"), t("changed")]}
        actions={t("actions")}
        empty={
          isFiltered ? (
            <Text c="dimmed" size="sm" mt="sm">
              {t("noMatches")}
            </Text>
          ) : (
            <Empty icon="book" title={t("empty")} hint={t("emptyHint")} action={{ label: t("write"), run: write }} />
          )
        }
        isEndless
        row={(document) => <DocumentRow document={document} open={setOpen} />}
      />
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={open?.title ?? ""} size="lg">
        {open && <DocumentPassages document={open} />}
      </Dialog>
    </>
  );
}

function DocumentRow({
  document,
  open,
}: {
  readonly document: KnowledgeDocument;
  readonly open: (document: KnowledgeDocument) => void;
}) {
  const { t, language } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  const { id, title, source, base_id, tags, chunk_count, index_status, updated_at } = document;
  const errorText = document.index_error ?? "";
  return (
    <RecordRow
      testId="document-row"
      cells={[
        <>
          <button type="button" className={knowledgeCss.knowledgeTitle} onClick={() => open(document)}>
            {title}
          </button>
          <Text size="xs" c="dimmed" className={textCss.oneLine}>
            {[source === MANUAL_SOURCE ? t("writtenHere") : source, ...tags].filter(Boolean).join(" · ")}
          </Text>
        </>,
        base_id,
        chunk_count.toLocaleString(language),
        <>
          <Badge variant="light" color={COLORS[index_status]} title={errorText}>
            {t(`status_${index_status}`)}
          </Badge>
          {errorText && (
            <Text size="xs" c="red">
              {errorText}
            </Text>
          )}
          <Failure error={error} />
        </>,
        formatShortTime(updated_at, language),
      ]}
      actions={
        <>
          {index_status !== "indexed" && (
            <RequireChangeScope>
              <IconButton icon="refresh" label={t("indexAgain")} onClick={toHandler(() => knowledge.index(id))} />
            </RequireChangeScope>
          )}
          <ConfirmButton
            icon="trash"
            label={t("remove")}
            what={title}
            testId="remove-document"
            run={toHandler(() => knowledge.remove(id), { throws: true })}
          />
        </>
      }
    />
  );
}

/** The passages that a document was split into. */
function DocumentPassages({ document: { id, source } }: { readonly document: KnowledgeDocument }) {
  const { t } = useTexts();
  const passages = useQuery({ queryKey: ["document", id, "passages"], queryFn: () => knowledge.listPassages(id) });
  return (
    <Loaded query={passages}>
      {({ items }) => (
        <>
          <Text size="sm" c="dimmed">
            {source === MANUAL_SOURCE ? t("writtenHere") : source} · {t("passages", { count: items.length })}
          </Text>
          {items.map(({ chunk_id, heading, chunk }) => (
            <div key={chunk_id} className={passageCss.knowledgePassage} data-testid="passage">
              {heading && (
                <Text size="xs" c="dimmed">
                  {heading}
                </Text>
              )}
              {chunk}
            </div>
          ))}
        </>
      )}
    </Loaded>
  );
}

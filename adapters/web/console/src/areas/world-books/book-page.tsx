import { Button, Menu, Tabs } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { downloadJson } from "../../shared/ui/download-file.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { toAddress } from "../../shared/ui/page/address.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { type Book, books, type Comparison, type Entry, type Format } from "./api.ts";
import { BookForm } from "./book-form.tsx";
import { EntryEditor } from "./entries/entry-editor.tsx";
import { GenerateEntries } from "./entries/generate-entries.tsx";
import { useFreshEntries } from "./entries/use-fresh-entries.ts";
import { ImportComparison } from "./import-comparison.tsx";
import { readJsonFile } from "./json-files.ts";
import { useTexts } from "./texts.ts";
import { Workbench } from "./trial/workbench.tsx";

const FORMATS: readonly Format[] = ["native", "v2", "v3", "worldinfo"];

/** One book with tabs for its entries, a workbench to try them, and its settings. */
export function BookPage({ bookId }: { readonly bookId: string }) {
  const { t } = useTexts();
  const book = useQuery({ queryKey: ["world_book", "one", bookId], queryFn: () => books.get(bookId) });
  const list = useQuery({
    queryKey: ["world_book", "entries", bookId],
    queryFn: ({ signal }) => books.listEntries(bookId, signal),
  });
  useFreshEntries(bookId);
  return (
    <Page
      title={book.data?.name ?? t("worldBooks")}
      back={{ to: "/world-books", label: t("worldBooks") }}
      isWide
      actions={book.data && <BookActions book={book.data} />}
    >
      <Tabs defaultValue="entries" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="entries">{t("entries")}</Tabs.Tab>
          <Tabs.Tab value="workbench" data-testid="workbench-tab">
            {t("workbench")}
          </Tabs.Tab>
          <Tabs.Tab value="book">{t("book")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entries">
          <Loaded query={list}>{(entries) => <EntryEditor bookId={bookId} entries={entries} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="workbench">
          <Workbench bookId={bookId} />
        </Tabs.Panel>
        <Tabs.Panel value="book">
          <Loaded query={book}>{(data) => <BookForm book={data} />}</Loaded>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

type OpenedDialog =
  | { readonly kind: "generate" }
  | { readonly kind: "compare"; readonly comparison: Comparison }
  | undefined;

function BookActions({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigateIfHere = useNavigateIfHere();
  const [opened, setOpened] = useState<OpenedDialog>();
  const { toHandler, error } = useAction([["world_book"]]);
  const toJsonError = useJsonError();
  const { id, name } = book;
  const entries = queries.getQueryData<readonly Entry[]>(["world_book", "entries", id]) ?? [];
  const compare = async (file: File | null) => {
    if (!file) return;
    await toHandler(async () =>
      setOpened({
        kind: "compare",
        comparison: await books.compare(id, await readJsonFile(file, toJsonError, t("notJsonFile"))),
      }),
    )();
  };
  const remove = async () => {
    await books.remove(id);
    await navigateIfHere(toAddress("/world-books"));
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpened({ kind: "generate" })} data-testid="generate">
        {t("generate")}
      </Button>
      <FileButton accept="application/json,.json" onChange={(file) => void compare(file)}>
        {(props) => (
          <Button variant="default" {...props} data-testid="compare-file">
            {t("compareFile")}
          </Button>
        )}
      </FileButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="download" size={15} />} data-testid="export-book">
            {t("exportAs")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              onClick={toHandler(async () => downloadJson(`${name}.${format}.json`, await books.export(id, format)))}
            >
              {t(format)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmButton label={t("remove")} what={name} text={t("removeBook")} run={remove} />
      <Failure error={error} />
      <Dialog
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={t(opened?.kind === "compare" ? "compareFile" : "generate")}
        size="lg"
      >
        {opened?.kind === "generate" && <GenerateEntries bookId={id} onDone={() => setOpened(undefined)} />}
        {opened?.kind === "compare" && (
          <ImportComparison
            bookId={id}
            comparison={opened.comparison}
            entries={entries}
            onDone={() => setOpened(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

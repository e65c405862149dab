import { Button, Menu, Tabs } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import { Failure, Loaded, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { FileButton } from "../../shared/ui/file-button.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { type Book, books, type Comparison, type Entry, type Format } from "./api.ts";
import { BookForm } from "./book-form.tsx";
import { CompareFile } from "./compare-file.tsx";
import { Editor } from "./editor.tsx";
import { readJson, save } from "./files.ts";
import { Generate } from "./generate.tsx";
import { useTexts } from "./texts.ts";
import { useFreshEntries } from "./use-fresh-entries.ts";
import { Workbench } from "./workbench.tsx";

const FORMATS: readonly Format[] = ["native", "v2", "v3", "worldinfo"];

/** One book: its entries, what it is, and how it behaves. */
export function BookPage({ bookId }: { readonly bookId: string }) {
  const { t } = useTexts();
  const book = useQuery({ queryKey: ["world_book", "one", bookId], queryFn: () => books.get(bookId) });
  const list = useQuery({
    queryKey: ["world_book", "entries", bookId],
    queryFn: ({ signal }) => books.entries(bookId, signal),
  });
  useFreshEntries(bookId);
  return (
    <Page
      title={book.data?.name ?? t("worldBooks")}
      back={{ to: "/world-books", label: t("worldBooks") }}
      isWide
      actions={book.data && <Deeds book={book.data} />}
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
          <Loaded query={list}>{(entries) => <Editor bookId={bookId} entries={entries} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="workbench">
          <Workbench bookId={bookId} />
        </Tabs.Panel>
        <Tabs.Panel value="book">
          <Loaded query={book}>
            {(data) => (
              <Held latest={data} version={data.revision}>
                {(held, release) => <BookForm book={held} release={release} />}
              </Held>
            )}
          </Loaded>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

type Opened = { readonly kind: "generate" } | { readonly kind: "compare"; readonly comparison: Comparison } | undefined;

function Deeds({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const { tried, error } = useTried([["world_book"]]);
  const fault = useJsonFault();
  const { id, name } = book;
  const known = queries.getQueryData<readonly Entry[]>(["world_book", "entries", id]) ?? [];
  const compare = async (file: File | null) => {
    if (!file) return;
    await tried(async () =>
      setOpened({ kind: "compare", comparison: await books.compare(id, await readJson(file, fault, t("isNoJson"))) }),
    )();
  };
  const remove = async () => {
    await books.remove(id);
    await navigate({ to: "/world-books" as string });
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
              onClick={tried(async () => save(`${name}.${format}.json`, await books.export(id, format)))}
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
        {opened?.kind === "generate" && <Generate bookId={id} done={() => setOpened(undefined)} />}
        {opened?.kind === "compare" && (
          <CompareFile bookId={id} comparison={opened.comparison} entries={known} done={() => setOpened(undefined)} />
        )}
      </Dialog>
    </>
  );
}

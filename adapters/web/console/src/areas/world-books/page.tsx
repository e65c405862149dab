import { Badge, Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { toAddress, usePathParams } from "../../shared/ui/page/address.ts";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import tableCss from "../../shared/ui/table/table.module.css";
import { type Book, books } from "./api.ts";
import { BookPage } from "./book-page.tsx";
import { readJsonFile } from "./json-files.ts";
import { NewBook } from "./new-book.tsx";
import { useTexts } from "./texts.ts";
import { Workbench } from "./trial/workbench.tsx";
import { useCharacterNames } from "./use-character-names.ts";
import worldBooksCss from "./world-books.module.css";

const QUERY_KEYS = [["world_book"]] as const;

export function WorldBooksPage() {
  const { bookId } = usePathParams();
  return bookId === undefined ? <BooksPage /> : <BookPage key={bookId} bookId={bookId} />;
}

function BooksPage() {
  const { t } = useTexts();
  const navigateIfHere = useNavigateIfHere();
  const [query, setQuery] = useState("");
  const [isWorkbenchOpen, setWorkbenchOpen] = useState(false);
  const deferredQuery = useDeferredValue(query).trim();
  const list = useQuery({
    queryKey: ["world_book", "list", deferredQuery],
    queryFn: () => books.list(deferredQuery),
    placeholderData: keepPreviousData,
  });
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const toJsonError = useJsonError();
  const [isNaming, setNaming] = useState(false);
  const open = (bookId: string) =>
    navigateIfHere({ ...toAddress(`/world-books/${encodeURIComponent(bookId)}`), ignoreBlocker: true });
  const importFile = async (file: File | null) => {
    if (!file) return;
    await toHandler(async () => {
      const { book, imported_entries, failed_entries, ...result } = await books.import(
        await readJsonFile(file, toJsonError, t("notJsonFile")),
        "",
      );
      showToast({ text: t("importedBook", { name: book.name, count: imported_entries }) });
      const failure = failed_entries > 0 ? [t("importFailed", { count: failed_entries })] : [];
      for (const text of [...failure, ...(result.warnings ?? []).slice(0, 2)]) showToast({ text, isBad: true });
      await open(book.id);
    })();
  };
  return (
    <Page
      title={t("worldBooks")}
      hint={t("booksHint")}
      isWide
      actions={
        <>
          <Button variant="default" onClick={() => setWorkbenchOpen(true)} data-testid="open-workbench">
            {t("workbench")}
          </Button>
          <FileButton accept="application/json,.json" onChange={(file) => void importFile(file)}>
            {(props) => (
              <Button variant="default" loading={isBusy} {...props} data-testid="import-book">
                {t("importBook")}
              </Button>
            )}
          </FileButton>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setNaming(true)} data-testid="new-book">
            {t("newBook")}
          </Button>
        </>
      }
    >
      <Failure error={error} />
      <TextInput
        aria-label={t("searchShort")}
        placeholder={t("searchShort")}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        maw="24rem"
        mb="md"
      />
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="book"
              title={deferredQuery === "" ? t("noBooks") : t("noBooksFound")}
              hint={t("booksHint")}
              {...(deferredQuery === "" && { action: { label: t("newBook"), run: () => setNaming(true) } })}
            />
          ) : (
            <div className={worldBooksCss.wbBooks}>
              {items.map((book) => (
                <BookCard key={book.id} book={book} />
              ))}
            </div>
          )
        }
      </Loaded>
      <Dialog opened={isNaming} onClose={() => setNaming(false)} title={t("newBook")}>
        <NewBook open={open} />
      </Dialog>
      <Dialog opened={isWorkbenchOpen} onClose={() => setWorkbenchOpen(false)} title={t("workbench")} size="72rem">
        <Workbench />
      </Dialog>
    </Page>
  );
}

function BookCard({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  const { id, name, description, enabled, entry_count, character_ids } = book;
  const characterNames = useCharacterNames();
  const names = character_ids.map((one) => characterNames.get(one) ?? one).join(", ");
  return (
    <div className={worldBooksCss.wbBook} data-testid="world-book">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Link
          {...toAddress(`/world-books/${encodeURIComponent(id)}`)}
          className={`${textCss.oneLine} ${tableCss.recordLink}`}
        >
          <Text span fw={600}>
            {name}
          </Text>
        </Link>
        <RequireChangeScope>
          <Switch
            size="sm"
            checked={enabled}
            aria-label={`${t("enabled")}: ${name}`}
            onChange={toHandler(() => books.update(id, { enabled: !enabled }))}
          />
        </RequireChangeScope>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mih="1.4em">
        {description}
      </Text>
      <Group gap={6} mt={6}>
        <Badge variant="light">{t("entryCount", { count: entry_count })}</Badge>
        <Badge variant="light" color="gray">
          {character_ids.length === 0 ? t("allConversations") : t("withCharacters", { names })}
        </Badge>
      </Group>
      <Failure error={error} />
    </div>
  );
}

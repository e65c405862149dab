import { Badge, Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, Loaded, useTried, warningsIn } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { FileButton } from "../../shared/ui/file-button.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import tableCss from "../../shared/ui/table.module.css";
import { toast } from "../../shared/ui/toasts.tsx";
import { useLeadOn } from "../../shared/ui/use-lead-on.ts";
import { type Book, books } from "./api.ts";
import { BookPage } from "./book-page.tsx";
import { useKnownCharacters } from "./characters.ts";
import { readJson } from "./files.ts";
import { NewBook } from "./new-book.tsx";
import { useTexts } from "./texts.ts";
import { Workbench } from "./workbench.tsx";
import worldBooksCss from "./world-books.module.css";

const CHANGED = [["world_book"]] as const;

export function WorldBooksPage() {
  const { bookId } = useParams({ strict: false }) as { readonly bookId?: string };
  return bookId === undefined ? <BooksPage /> : <BookPage key={bookId} bookId={bookId} />;
}

function BooksPage() {
  const { t } = useTexts();
  const leadOn = useLeadOn();
  const [words, setWords] = useState("");
  const [isTrying, setTrying] = useState(false);
  const asked = useDeferredValue(words).trim();
  const list = useQuery({
    queryKey: ["world_book", "list", asked],
    queryFn: () => books.list(asked),
    placeholderData: keepPreviousData,
  });
  const { tried, isBusy, error } = useTried(CHANGED);
  const fault = useJsonFault();
  const [isNaming, setNaming] = useState(false);
  const open = (bookId: string) =>
    leadOn({ to: "/world-books/$bookId" as string, params: { bookId } as never, ignoreBlocker: true });
  const take = async (file: File | null) => {
    if (!file) return;
    await tried(async () => {
      const { book, imported_entries, failed_entries, ...warned } = await books.import(
        await readJson(file, fault, t("isNoJson")),
        "",
      );
      toast({ text: t("importedBook", { name: book.name, count: imported_entries }) });
      const left = failed_entries > 0 ? [t("importFailed", { count: failed_entries })] : [];
      for (const text of [...left, ...warningsIn(warned).slice(0, 2)]) toast({ text, isBad: true });
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
          <Button variant="default" onClick={() => setTrying(true)} data-testid="open-workbench">
            {t("workbench")}
          </Button>
          <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
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
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        maw="24rem"
        mb="md"
      />
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="book"
              title={asked === "" ? t("noBooks") : t("noBooksFound")}
              hint={t("booksHint")}
              {...(asked === "" && { action: { label: t("newBook"), run: () => setNaming(true) } })}
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
      <Dialog opened={isTrying} onClose={() => setTrying(false)} title={t("workbench")} size="72rem">
        <Workbench />
      </Dialog>
    </Page>
  );
}

function BookCard({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const { tried, error } = useTried(CHANGED);
  const { id, name, description, enabled, entry_count, character_ids } = book;
  const known = useKnownCharacters();
  const names = character_ids.map((one) => known.get(one) ?? one).join(", ");
  return (
    <div className={worldBooksCss.wbBook} data-testid="world-book">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Link
          to={"/world-books/$bookId" as string}
          params={{ bookId: id } as never}
          className={`${textCss.oneLine} ${tableCss.recordLink}`}
        >
          <Text span fw={600}>
            {name}
          </Text>
        </Link>
        <Changes>
          <Switch
            size="sm"
            checked={enabled}
            aria-label={`${t("enabled")}: ${name}`}
            onChange={tried(() => books.update(id, { enabled: !enabled }))}
          />
        </Changes>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mih="1.4em">
        {description}
      </Text>
      <Group gap={6} mt={6}>
        <Badge variant="light">{t("entryCount", { count: entry_count })}</Badge>
        <Badge variant="light" color="gray">
          {character_ids.length === 0 ? t("everywhere") : t("withCharacters", { names })}
        </Badge>
      </Group>
      <Failure error={error} />
    </div>
  );
}

import { Button, Group, Stack } from "@mantine/core";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { books } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Asks for the name of a new book, which is stored only then. */
export function NewBook({ open }: { readonly open: (bookId: string) => Promise<void> }) {
  const { t } = useTexts();
  const { props, draft, field, isBusy } = useRecordForm({
    queryKeys: [["world_book"]],
    toDraft: () => ({ name: "" }),
    create: ({ name }) => books.create(name.trim()),
    onSaved: (book) => book && open(book.id),
  });
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField label={t("bookName")} maxLength={100} {...field("name")} testId="book-name" />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={draft.name.trim() === ""} data-testid="create-book">
            {t("createBook")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

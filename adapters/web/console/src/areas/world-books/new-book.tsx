import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { books } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Asks for the name of a new book: until then nothing is stored. */
export function NewBook({ open }: { readonly open: (bookId: string) => Promise<void> }) {
  const { t } = useTexts();
  const [name, setName] = useState("");
  const { tried, isBusy, error } = useTried([["world_book"]]);
  const create = tried(async () => open((await books.create(name.trim())).id));
  return (
    <Form isChanged={name !== ""} error={error} submit={create}>
      <Stack gap="sm">
        <TextField name="name" label={t("bookName")} maxLength={100} value={name} put={setName} testId="book-name" />
        <FormFailure />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={name.trim() === ""} data-testid="create-book">
            {t("createBook")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

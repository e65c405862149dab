import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { books } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Asks for the name of a new book: until then nothing is stored. */
export function NewBook({ open }: { readonly open: (bookId: string) => Promise<void> }) {
  const { t } = useTexts();
  const [name, setName] = useState("");
  const { toHandler, isBusy, error } = useAction([["world_book"]]);
  const create = toHandler(async () => open((await books.create(name.trim())).id));
  return (
    <Form isChanged={name !== ""} error={error} onSubmit={create}>
      <Stack gap="sm">
        <TextField
          name="name"
          label={t("bookName")}
          maxLength={100}
          value={name}
          onChange={setName}
          testId="book-name"
        />
        <FormErrors />
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

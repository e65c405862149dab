import { Button, Group, Stack } from "@mantine/core";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { NumberField, TextareaField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { books } from "../api.ts";
import { useTexts } from "../texts.ts";

/** Generates entries for the book with a model. */
export function GenerateEntries({ bookId, onDone }: { readonly bookId: string; readonly onDone: () => void }) {
  const { t } = useTexts();
  const { props, draft, field, isBusy } = useRecordForm({
    queryKeys: [["world_book"]],
    toDraft: () => ({ topic: "", count: 5 }),
    create: async ({ topic, count }) => {
      const { created } = await books.generate(bookId, { topic, count });
      showToast({ text: t("generated", { count: created }) });
    },
    onSaved: onDone,
  });
  const count = field("count");
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextareaField label={t("topic")} {...field("topic")} minRows={3} required data-autofocus />
        <NumberField
          label={t("entryNumber")}
          min={1}
          max={20}
          {...count}
          onChange={(value) => count.onChange(value || 1)}
        />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={draft.topic.trim() === ""}>
            {t("generateNow")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

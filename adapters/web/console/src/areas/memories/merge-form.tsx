import { Button, Group, Stack, Text } from "@mantine/core";
import { TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Memory, memories, QUERY_KEYS } from "./api.ts";
import { useTexts } from "./texts.ts";

interface MergeFormProps {
  readonly selected: readonly Memory[];
  readonly onDone: (isMerged: boolean) => void;
}

/** Merges several memories into one. */
export function MergeForm({ selected, onDone }: MergeFormProps) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => mergeTexts(selected),
    create: async ({ title, content }) => {
      const ids = selected.map(({ id }) => id);
      await memories.merge(ids, title, content);
    },
    onSaved: () => onDone(true),
  });
  return (
    <Form {...props}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("mergeHint")}
        </Text>
        <TextField label={t("title")} {...field("title")} maxLength={200} required />
        <TextareaField
          label={t("content")}
          {...field("content")}
          minRows={4}
          maxRows={14}
          required
          testId="merged-content"
        />
        <FormErrors />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onDone(false)}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={isBusy} data-testid="save-merge">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** Returns the newest title, and all contents without duplicates. */
function mergeTexts(selected: readonly Memory[]) {
  const ordered = selected.toSorted((a, b) => (a.said_at < b.said_at ? -1 : 1));
  const content = [...new Set(ordered.map((one) => one.content))].join("\n");
  return { title: ordered.at(-1)?.title ?? "", content };
}

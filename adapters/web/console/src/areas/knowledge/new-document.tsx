import { Button, Group, Text } from "@mantine/core";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { parseList } from "../../shared/ui/text/parse-list.ts";
import { knowledge } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["document"], ["job"]] as const;

interface NewDocumentProps {
  readonly baseId: string;
  readonly onDone: () => void;
}

/** The form for a document written here. */
export function NewDocument({ baseId, onDone }: NewDocumentProps) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ title: "", content: "", tags: "", base_id: baseId || "default" }),
    create: async (draft) => {
      await knowledge.create({ ...draft, tags: parseList(draft.tags) });
    },
    onSaved: onDone,
  });
  return (
    <Form {...props}>
      <TextField label={t("title")} required maxLength={200} {...field("title")} testId="document-title" />
      <TextareaField
        mt="sm"
        label={t("text")}
        required
        minRows={6}
        maxRows={20}
        {...field("content")}
        testId="document-text"
      />
      <Group gap="sm" mt="sm" align="flex-start" grow>
        <TextField label={t("base")} required {...field("base_id")} />
        <TextField
          label={t("tags")}
          description={t("tagsHint")}
          inputWrapperOrder={["label", "input", "description"]}
          {...field("tags")}
        />
      </Group>
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="save-document">
          {t("save")}
        </Button>
      </Group>
    </Form>
  );
}

/** The form that adds a web page. */
export function NewPage({ baseId, onDone }: NewDocumentProps) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ url: "" }),
    create: async ({ url }) => {
      await knowledge.addPage({ url, base_id: baseId || "default" });
    },
    onSaved: onDone,
  });
  return (
    <Form {...props}>
      <TextField
        label={t("address")}
        type="url"
        required
        placeholder="https://"
        {...field("url")}
        testId="page-address"
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t("base")}: {baseId || "default"}
      </Text>
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy}>
          {t("addPage")}
        </Button>
      </Group>
    </Form>
  );
}

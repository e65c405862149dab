import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { isDeepEqual } from "../../resource/form/fields.ts";
import { useAction } from "../../shared/ui/common.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { type Memory, memories } from "./api.ts";
import { QUERY_KEYS } from "./query-keys.ts";
import { useTexts } from "./texts.ts";

interface MergeFormProps {
  readonly chosen: readonly Memory[];
  readonly onDone: (isDone: boolean) => void;
}

/** Merges several memories into one. */
export function MergeForm({ chosen, onDone }: MergeFormProps) {
  const { t } = useTexts();
  const ordered = chosen.toSorted((a, b) => (a.said_at < b.said_at ? -1 : 1));
  const [title, setTitle] = useState(ordered.at(-1)?.title ?? "");
  const [content, setContent] = useState([...new Set(ordered.map((one) => one.content))].join("\n"));
  const [initialTexts] = useState([title, content]);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const save = toHandler(async () => {
    await memories.merge(
      chosen.map(({ id }) => id),
      title,
      content,
    );
    onDone(true);
  });
  return (
    <Form isChanged={!isDeepEqual([title, content], initialTexts)} error={error} onSubmit={save}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("mergeHint")}
        </Text>
        <FormControl name="title">
          <TextInput
            label={t("title")}
            value={title}
            maxLength={200}
            required
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </FormControl>
        <FormControl name="content">
          <Textarea
            label={t("content")}
            value={content}
            onChange={({ currentTarget }) => setContent(currentTarget.value)}
            autosize
            minRows={4}
            maxRows={14}
            required
            data-testid="merged-content"
          />
        </FormControl>
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

import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { type Memory, memories } from "./api.ts";
import { CHANGED } from "./page.tsx";
import { useTexts } from "./texts.ts";

interface MergeFormProps {
  readonly chosen: readonly Memory[];
  readonly done: (isDone: boolean) => void;
}

/** What several memories say, in one. */
export function MergeForm({ chosen, done }: MergeFormProps) {
  const { t } = useTexts();
  const ordered = chosen.toSorted((a, b) => (a.said_at < b.said_at ? -1 : 1));
  const [title, setTitle] = useState(ordered.at(-1)?.title ?? "");
  const [content, setContent] = useState([...new Set(ordered.map((one) => one.content))].join("\n"));
  const [begun] = useState([title, content]);
  const { tried, isBusy, error } = useTried(CHANGED);
  const save = tried(async () => {
    await memories.merge(
      chosen.map(({ id }) => id),
      title,
      content,
    );
    done(true);
  });
  return (
    <Form isChanged={!isSame([title, content], begun)} error={error} submit={save}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("mergeHint")}
        </Text>
        <At name="title">
          <TextInput
            label={t("title")}
            value={title}
            maxLength={200}
            required
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </At>
        <At name="content">
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
        </At>
        <FormFailure />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => done(false)}>
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

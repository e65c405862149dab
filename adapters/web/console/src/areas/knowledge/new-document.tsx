import { Button, Group, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { knowledge } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["document"], ["job"]] as const;

interface NewDocumentProps {
  readonly base: string;
  readonly onDone: () => void;
}

/** The form for a document written here. */
export function NewDocument({ base, onDone }: NewDocumentProps) {
  const { t } = useTexts();
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [tags, setTags] = useState("");
  const [base_id, setBase] = useState(base || "default");
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const save = toHandler(async () => {
    await knowledge.create({ title, content, base_id, tags: parseTags(tags) });
    onDone();
  });
  return (
    <Form isChanged={[title, content, tags].some(Boolean)} error={error} onSubmit={save}>
      <FormControl name="title">
        <TextInput
          label={t("title")}
          required
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          data-testid="document-title"
        />
      </FormControl>
      <FormControl name="content">
        <Textarea
          mt="sm"
          label={t("text")}
          required
          autosize
          minRows={6}
          maxRows={20}
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
          data-testid="document-text"
        />
      </FormControl>
      <Group gap="sm" mt="sm" align="flex-start" grow>
        <FormControl name="base_id">
          <TextInput
            label={t("base")}
            required
            value={base_id}
            onChange={({ currentTarget }) => setBase(currentTarget.value)}
          />
        </FormControl>
        <FormControl name="tags">
          <TextInput
            label={t("tags")}
            description={t("tagsHint")}
            inputWrapperOrder={["label", "input", "description"]}
            value={tags}
            onChange={({ currentTarget }) => setTags(currentTarget.value)}
          />
        </FormControl>
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
export function NewPage({ base, onDone }: NewDocumentProps) {
  const { t } = useTexts();
  const [url, setUrl] = useState("");
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const add = toHandler(async () => {
    await knowledge.page({ url, base_id: base || "default" });
    onDone();
  });
  return (
    <Form isChanged={url !== ""} error={error} onSubmit={add}>
      <FormControl name="url">
        <TextInput
          label={t("address")}
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          data-testid="page-address"
        />
      </FormControl>
      <Text size="xs" c="dimmed" mt={4}>
        {t("base")}: {base || "default"}
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

function parseTags(text: string): readonly string[] {
  return text
    .split(/[,，、]/)
    .map((word) => word.trim())
    .filter(Boolean);
}

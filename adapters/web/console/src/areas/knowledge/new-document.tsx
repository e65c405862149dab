import { Button, Group, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { knowledge } from "./api.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["document"], ["job"]] as const;

interface NewProps {
  readonly base: string;
  readonly done: () => void;
}

/** A document that is written here. */
export function NewDocument({ base, done }: NewProps) {
  const { t } = useTexts();
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [tags, setTags] = useState("");
  const [base_id, setBase] = useState(base || "default");
  const { tried, isBusy, error } = useTried(CHANGED);
  const save = tried(async () => {
    await knowledge.create({ title, content, base_id, tags: wordsOf(tags) });
    done();
  });
  return (
    <Form isChanged={[title, content, tags].some(Boolean)} error={error} submit={save}>
      <At name="title">
        <TextInput
          label={t("title")}
          required
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          data-testid="document-title"
        />
      </At>
      <At name="content">
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
      </At>
      <Group gap="sm" mt="sm" align="flex-start" grow>
        <At name="base_id">
          <TextInput
            label={t("base")}
            required
            value={base_id}
            onChange={({ currentTarget }) => setBase(currentTarget.value)}
          />
        </At>
        <At name="tags">
          <TextInput
            label={t("tags")}
            description={t("tagsHint")}
            inputWrapperOrder={["label", "input", "description"]}
            value={tags}
            onChange={({ currentTarget }) => setTags(currentTarget.value)}
          />
        </At>
      </Group>
      <FormFailure />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="save-document">
          {t("save")}
        </Button>
      </Group>
    </Form>
  );
}

/** A page of the web that is fetched and read. */
export function NewPage({ base, done }: NewProps) {
  const { t } = useTexts();
  const [url, setUrl] = useState("");
  const { tried, isBusy, error } = useTried(CHANGED);
  const add = tried(async () => {
    await knowledge.page({ url, base_id: base || "default" });
    done();
  });
  return (
    <Form isChanged={url !== ""} error={error} submit={add}>
      <At name="url">
        <TextInput
          label={t("address")}
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          data-testid="page-address"
        />
      </At>
      <Text size="xs" c="dimmed" mt={4}>
        {t("base")}: {base || "default"}
      </Text>
      <FormFailure />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy}>
          {t("addPage")}
        </Button>
      </Group>
    </Form>
  );
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(/[,，、]/)
    .map((word) => word.trim())
    .filter(Boolean);
}

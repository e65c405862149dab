import { Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Editor } from "../../shared/ui/form/editor.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { UnsavedGuard } from "../../shared/ui/form/unsaved-guard.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { type FileContent, type Skill, saveFile, skills, toFileUrl, uploadFile } from "./api.ts";
import { SkillDetails } from "./skill-details.tsx";
import skillsCss from "./skills.module.css";
import { useTexts } from "./texts.ts";

const SKILL_FILE = "SKILL.md";
const LANGUAGES: Readonly<Record<string, "markdown" | "json">> = { md: "markdown", json: "json" };

interface SkillFilesProps {
  readonly skill: Skill;
  /** True when somebody else deleted the skill; only the draft is left. */
  readonly isRemoved: boolean;
  readonly close: () => void;
}

/** An editor for the files of one skill. */
export function SkillFiles({ skill, isRemoved, close }: SkillFilesProps) {
  const { t } = useTexts();
  const { name } = skill;
  const [path, setPath] = useState(SKILL_FILE);
  const content = useQuery({
    queryKey: ["skill", "content", name],
    queryFn: () => skills.listFiles(name),
    retry: false,
  });
  const adding = useAction([["skill"]]);
  const paths = (content.data?.files ?? []).map((file) => file.path);
  return (
    <Page title={name} back={{ to: close, label: t("back") }} isWide>
      <Stack gap="md">
        <SkillDetails skill={skill} isRemoved={isRemoved} />
        {content.isError && <Text c="dimmed">{t("noFolder")}</Text>}
        <div className={skillsCss.skillBench}>
          <nav className={skillsCss.skillFiles} aria-label={t("files")}>
            {paths.map((one) => (
              <button
                key={one}
                type="button"
                className={skillsCss.skillFile}
                aria-current={one === path}
                onClick={() => setPath(one)}
                data-testid="skill-file"
              >
                {one}
              </button>
            ))}
            <NewFile
              add={(newPath) =>
                adding.toHandler(async () => {
                  await saveFile(name, newPath, "");
                  setPath(newPath);
                })()
              }
            />
            <FileButton
              onChange={(file) =>
                file &&
                void adding.toHandler(async () => {
                  await uploadFile(name, file.name, file);
                  setPath(file.name);
                })()
              }
            >
              {(props) => (
                <Button {...props} size="compact-sm" variant="subtle" loading={adding.isBusy}>
                  {t("addFile")}
                </Button>
              )}
            </FileButton>
            <Failure error={adding.error} />
          </nav>
          <OpenFile key={path} name={name} path={path} />
        </div>
      </Stack>
    </Page>
  );
}

function NewFile({ add }: { readonly add: (path: string) => Promise<void> }) {
  const { t } = useTexts();
  const [path, setPath] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add(path.trim()).then(() => setPath(""));
      }}
    >
      <TextInput
        size="xs"
        aria-label={t("newFile")}
        placeholder={t("newFile")}
        description={t("newFileHint")}
        inputWrapperOrder={["input", "description"]}
        maxLength={200}
        value={path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
        data-testid="new-file"
      />
    </form>
  );
}

function OpenFile({ name, path }: { readonly name: string; readonly path: string }) {
  const file = useQuery({
    queryKey: ["skill", "file", name, path],
    queryFn: () => skills.getFile(name, path),
    // A refetch must not replace the text while it is being edited.
    refetchOnWindowFocus: false,
    retry: false,
  });
  return (
    <Loaded query={file}>
      {(content) => <FileEditor key={content.etag} name={name} path={path} file={content} />}
    </Loaded>
  );
}

interface EditorProps {
  readonly name: string;
  readonly path: string;
  readonly file: FileContent;
}

function FileEditor({ name, path, file }: EditorProps) {
  const { t } = useTexts();
  const [text, setText] = useState(file.content);
  const { toHandler, isBusy, error } = useAction([["skill"]]);
  const isChanged = text !== file.content;
  if (file.encoding === "base64") {
    return (
      <Text size="sm">
        {t("isBinary")}{" "}
        <Anchor href={`${toFileUrl(name, path)}?download=true`} download>
          {t("download")}
        </Anchor>
      </Text>
    );
  }
  return (
    <div>
      <UnsavedGuard isChanged={isChanged} />
      {path.startsWith("scripts/") && (
        <Text size="sm" c="dimmed" mb="xs">
          {t("scripts")}
        </Text>
      )}
      <Editor
        label={path}
        isRequired={false}
        language={LANGUAGES[path.split(".").at(-1) ?? ""] ?? "plain"}
        value={text}
        onChange={setText}
      />
      <Failure error={error} />
      <Group justify="flex-end" mt="sm">
        <Button
          loading={isBusy}
          disabled={!isChanged}
          onClick={() => void toHandler(() => saveFile(name, path, text, file.etag))()}
          data-testid="save-file"
        >
          {t("save")}
        </Button>
      </Group>
    </div>
  );
}

import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../ui/common.tsx";
import { CancelButton } from "../ui/form/cancel-button.tsx";
import { Form, FormControl, FormErrors } from "../ui/form/form.tsx";
import { type Workspace, type WorkspaceItem, workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["workspace"]] as const;

interface NameFormProps {
  readonly place: Workspace;
  /** The folder that a new one is made in. */
  readonly path: string;
  readonly item: WorkspaceItem | "folder";
  readonly onDone: () => void;
}

/** The form for the name of a new folder, or to rename a file or folder. */
export function NameForm({ place, path, item, onDone }: NameFormProps) {
  const { t } = useTexts();
  const initialName = item === "folder" ? "" : item.name;
  const [name, setName] = useState(initialName);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const save = toHandler(async () => {
    if (item === "folder") await workspace.makeFolder(place, path, name);
    else await workspace.move(place, item.path, item.path.split("/").slice(0, -1).join("/"), name);
    onDone();
  });
  return (
    <Form isChanged={name !== initialName} error={error} onSubmit={save}>
      <FormControl name="name">
        <TextInput
          label={t(item === "folder" ? "folderName" : "name")}
          value={name}
          maxLength={200}
          required
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-testid="file-name"
        />
      </FormControl>
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="save-name">
          {t(item === "folder" ? "make" : "keep")}
        </Button>
      </Group>
    </Form>
  );
}

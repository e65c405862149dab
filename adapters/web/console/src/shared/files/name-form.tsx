import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { CancelButton } from "../ui/cancel-button.tsx";
import { useTried } from "../ui/common.tsx";
import { At, Form, FormFailure } from "../ui/form.tsx";
import { type Item, type Place, workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["workspace"]] as const;

interface NameFormProps {
  readonly place: Place;
  /** The folder that a new one is made in. */
  readonly path: string;
  readonly item: Item | "folder";
  readonly done: () => void;
}

/** The name of a new folder, or another one for what is there. */
export function NameForm({ place, path, item, done }: NameFormProps) {
  const { t } = useTexts();
  const begun = item === "folder" ? "" : item.name;
  const [name, setName] = useState(begun);
  const { tried, isBusy, error } = useTried(CHANGED);
  const save = tried(async () => {
    if (item === "folder") await workspace.makeFolder(place, path, name);
    else await workspace.move(place, item.path, item.path.split("/").slice(0, -1).join("/"), name);
    done();
  });
  return (
    <Form isChanged={name !== begun} error={error} submit={save}>
      <At name="name">
        <TextInput
          label={t(item === "folder" ? "folderName" : "name")}
          value={name}
          maxLength={200}
          required
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-testid="file-name"
        />
      </At>
      <FormFailure />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="save-name">
          {t(item === "folder" ? "make" : "keep")}
        </Button>
      </Group>
    </Form>
  );
}

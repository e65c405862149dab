import { Button, Group } from "@mantine/core";
import { CancelButton } from "../ui/form/cancel-button.tsx";
import { TextField } from "../ui/form/fields.tsx";
import { Form, FormErrors } from "../ui/form/form.tsx";
import { useRecordForm } from "../ui/form/use-record-form.ts";
import { type FileOwner, type WorkspaceItem, workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["workspace"]] as const;

interface NameFormProps {
  readonly owner: FileOwner;
  /** The folder in which a new folder is created. */
  readonly path: string;
  readonly item: WorkspaceItem | "folder";
  readonly onDone: () => void;
}

/** The form that renames `item`, or creates a folder when `item` is `folder`. */
export function NameForm({ owner, path, item, onDone }: NameFormProps) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ name: item === "folder" ? "" : item.name }),
    create: async ({ name }) => {
      if (item === "folder") await workspace.createFolder(owner, path, name);
      else await workspace.move(owner, item.path, item.path.split("/").slice(0, -1).join("/"), name);
    },
    onSaved: onDone,
  });
  return (
    <Form {...props}>
      <TextField
        label={t(item === "folder" ? "folderName" : "name")}
        {...field("name")}
        maxLength={200}
        required
        data-autofocus
        testId="file-name"
      />
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="save-name">
          {t(item === "folder" ? "create" : "save")}
        </Button>
      </Group>
    </Form>
  );
}

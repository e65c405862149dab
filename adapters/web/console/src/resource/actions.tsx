import { ActionIcon, Button, Code, Group, Menu, Text } from "@mantine/core";
import type { ResourceCallView, ResourceView } from "@parley/core";
import { useId, useState } from "react";
import { api } from "../shared/api/client.ts";
import { useLocal } from "../shared/i18n/local.ts";
import textCss from "../shared/styles/text.module.css";
import { Failure } from "../shared/ui/common.tsx";
import { Icon } from "../shared/ui/icon.tsx";
import { Dialog } from "../shared/ui/page.tsx";
import { someNames } from "../shared/ui/some-names.ts";
import { toast } from "../shared/ui/toasts.tsx";
import { fieldsOf, isSame, startOf, type Values } from "./fields.ts";
import { FieldsForm } from "./fields-form.tsx";
import { nameOf, type ResourceRecord } from "./records.ts";
import { useTexts } from "./texts.ts";

/** What is to be done with some records, or with all of them. */
export interface Order {
  readonly action: ResourceCallView;
  /** Empty: it is about no single record. */
  readonly records: readonly ResourceRecord[];
}

export function isOfRecord(view: ResourceView, { path }: ResourceCallView): boolean {
  return path.includes(`{${view.param}}`);
}

interface RowMenuProps {
  readonly view: ResourceView;
  readonly record: ResourceRecord;
  readonly edit: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
  readonly order: (order: Order) => void;
}

export function RowMenu({ view, record, edit, remove, order }: RowMenuProps) {
  const { t } = useTexts();
  const local = useLocal();
  const own = view.actions.filter((action) => isOfRecord(view, action));
  if (!edit && !remove && own.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("actionsOf", { name: nameOf(record) })}
          data-testid="record-actions"
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && (
          <Menu.Item leftSection={<Icon name="edit" size={15} />} onClick={edit}>
            {t("edit")}
          </Menu.Item>
        )}
        {own.map((action) => (
          <Menu.Item key={action.id} onClick={() => order({ action, records: [record] })}>
            {local(action.title)}
          </Menu.Item>
        ))}
        {remove && (
          <Menu.Item color="var(--mantine-color-error)" leftSection={<Icon name="trash" size={15} />} onClick={remove}>
            {t("remove")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface OrderDialogProps {
  readonly view: ResourceView;
  readonly order: Order;
  readonly close: () => void;
  readonly changed: () => Promise<void>;
}

/** Asks what an action needs, does it, and shows what came of it. */
export function OrderDialog({ view, order: { action, records }, close, changed }: OrderDialogProps) {
  const { t } = useTexts();
  const local = useLocal();
  const form = useId();
  const fields = action.form ? fieldsOf(action.form) : [];
  const [begun] = useState<Values>(() => startOf(fields, undefined));
  const [values, setValues] = useState(begun);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [answer, setAnswer] = useState<string>();
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const answers: unknown[] = [];
      for (const path of pathsOf(view, action, records)) {
        answers.push(await api.call(action.method, path, action.method === "GET" ? {} : { body: values }));
      }
      await changed();
      if (action.answer === "shown")
        return setAnswer(JSON.stringify(answers.length === 1 ? answers[0] : answers, undefined, 2));
      toast({ text: `${local(action.title)}: ${t("done")}` });
      close();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const downloads = action.answer === "download" ? pathsOf(view, action, records) : [];
  return (
    <Dialog opened onClose={close} title={local(action.title)} size="lg">
      {records.length > 0 && (
        <Text size="sm" fw={600} mb="xs" className={textCss.doomed}>
          {someNames(records.map(nameOf))}
        </Text>
      )}
      {action.confirm && (
        <Text size="sm" mb="sm">
          {local(action.confirm)}
        </Text>
      )}
      {fields.length > 0 && answer === undefined ? (
        <FieldsForm
          id={form}
          fields={fields}
          values={values}
          put={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          error={error}
          submit={() => void run()}
          isChanged={!isSame(values, begun)}
        />
      ) : (
        <Failure error={error} />
      )}
      {answer !== undefined && (
        <Code block className={textCss.answer} data-testid="action-answer">
          {answer}
        </Code>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus={fields.length === 0 || undefined}>
          {t(answer === undefined ? "cancel" : "close")}
        </Button>
        {downloads.map((path) => (
          <Button key={path} component="a" href={path} download onClick={close}>
            {local(action.title)}
          </Button>
        ))}
        {answer === undefined && downloads.length === 0 && (
          <Button
            {...(fields.length > 0 ? { type: "submit", form } : { onClick: () => void run() })}
            {...(action.method === "DELETE" && { color: "red" })}
            loading={isBusy}
            data-testid="do-action"
          >
            {local(action.title)}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

function pathsOf(view: ResourceView, action: ResourceCallView, records: readonly ResourceRecord[]): readonly string[] {
  const whole = `${view.path}/${action.path}`;
  if (!isOfRecord(view, action)) return [whole];
  return records.map(({ id }) => whole.replace(`{${view.param}}`, encodeURIComponent(id)));
}

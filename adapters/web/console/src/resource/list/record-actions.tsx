import { ActionIcon, Button, Code, Group, Menu, Text } from "@mantine/core";
import { useId, useState } from "react";
import type { ResourceAction, ResourceView } from "../../shared/api/console.ts";
import { toFormFields, toInitialValues, type Values } from "../../shared/forms/form-fields.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { listNames } from "../../shared/ui/text/list-names.ts";
import { FieldsForm } from "../form/fields-form.tsx";
import { type ResourceRecord, runAction, toRecordName } from "../records.ts";
import { useTexts } from "../texts.ts";

/** An action that the user has chosen, for some records or for the whole resource. */
export interface PendingAction {
  readonly action: ResourceAction;
  /** Empty for an action on the whole resource. */
  readonly records: readonly ResourceRecord[];
}

export function isRecordAction(view: ResourceView, { path }: ResourceAction): boolean {
  return path.includes(`{${view.param}}`);
}

interface RowMenuProps {
  readonly view: ResourceView;
  readonly record: ResourceRecord;
  readonly edit: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
  readonly onAction: (action: PendingAction) => void;
}

export function RowMenu({ view, record, edit, remove, onAction }: RowMenuProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const recordActions = view.actions.filter((action) => isRecordAction(view, action));
  if (!edit && !remove && recordActions.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("actionsOf", { name: toRecordName(record) })}
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
        {recordActions.map((action) => (
          <Menu.Item key={action.id} onClick={() => onAction({ action, records: [record] })}>
            {localize(action.title)}
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

interface ActionDialogProps {
  readonly view: ResourceView;
  readonly action: PendingAction;
  readonly close: () => void;
  readonly onChanged: () => Promise<void>;
}

/** Asks for the input of an action, runs it and shows the outcome. */
export function ActionDialog({ view, action: { action, records }, close, onChanged }: ActionDialogProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const formId = useId();
  const fields = action.form ? toFormFields(action.form) : [];
  const [answer, setAnswer] = useState<string>();
  const run = async (values: Values) => {
    const answers: unknown[] = [];
    for (const path of toActionPaths(view, action, records)) {
      answers.push(await runAction(action, path, values));
    }
    await onChanged();
    if (action.answer === "shown")
      return setAnswer(JSON.stringify(answers.length === 1 ? answers[0] : answers, undefined, 2));
    showToast({ text: `${localize(action.title)}: ${t("done")}` });
    close();
  };
  const { props, draft, update, isBusy, error, save } = useRecordForm<Values>({
    toDraft: () => toInitialValues(fields, undefined),
    create: async (values) => {
      await run(values);
    },
  });
  const downloads = action.answer === "download" ? toActionPaths(view, action, records) : [];
  return (
    <Dialog opened onClose={close} title={localize(action.title)} size="lg">
      {records.length > 0 && (
        <Text size="sm" fw={600} mb="xs" className={textCss.wrapped}>
          {listNames(records.map(toRecordName))}
        </Text>
      )}
      {action.confirm && (
        <Text size="sm" mb="sm">
          {localize(action.confirm)}
        </Text>
      )}
      {fields.length > 0 && answer === undefined ? (
        <FieldsForm
          {...props}
          id={formId}
          fields={fields}
          values={draft}
          onChange={(name, value) => update({ [name]: value })}
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
            {localize(action.title)}
          </Button>
        ))}
        {answer === undefined && downloads.length === 0 && (
          <Button
            {...(fields.length > 0 ? { type: "submit", form: formId } : { onClick: save })}
            {...(action.method === "DELETE" && { color: "red" })}
            loading={isBusy}
            data-testid="do-action"
          >
            {localize(action.title)}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

function toActionPaths(
  view: ResourceView,
  action: ResourceAction,
  records: readonly ResourceRecord[],
): readonly string[] {
  const path = `${view.path}/${action.path}`;
  if (!isRecordAction(view, action)) return [path];
  return records.map(({ id }) => path.replace(`{${view.param}}`, encodeURIComponent(id)));
}

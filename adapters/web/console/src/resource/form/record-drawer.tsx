import { Button, Drawer, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import type { ResourceView } from "../../shared/api/console.ts";
import { toFormFields, toInitialValues, toPatch, type Values } from "../../shared/forms/form-fields.ts";
import { isJsonDraft } from "../../shared/forms/json-draft.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { isDeepEqual } from "../../shared/is-deep-equal.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { formatError, formatTime, Loaded } from "../../shared/ui/common.tsx";
import { showOneTimeSecret } from "../../shared/ui/feedback/one-time-secret.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { RestoreFocus } from "../../shared/ui/page/restore-focus.tsx";
import { changeRecord, createRecord, type ResourceRecord, readRecord, toRecordName, useRecord } from "../records.ts";
import { useTexts } from "../texts.ts";
import { FieldsForm } from "./fields-form.tsx";
import recordDrawerCss from "./record-drawer.module.css";

interface RecordDrawerProps {
  readonly view: ResourceView;
  /** Record id; `new` for a new one. */
  readonly id: string;
  /** Called to return to the list. */
  readonly close: (isSaved: boolean) => void;
}

/** The form of one record, beside its list. */
export function RecordDrawer({ view, id, close }: RecordDrawerProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const formId = useId();
  return (
    <Drawer
      opened
      onClose={() => close(false)}
      position="right"
      size="lg"
      title={id === "new" ? t("newNamed", { name: localize(view.title.one) }) : capitalize(localize(view.title.one))}
      closeButtonProps={{ "aria-label": t("close") }}
      classNames={{
        body: recordDrawerCss.drawerBody,
        content: recordDrawerCss.drawer,
        header: recordDrawerCss.drawerHead,
        title: recordDrawerCss.drawerTitle,
      }}
    >
      <RestoreFocus />
      {id === "new" ? (
        <RecordForm view={view} formId={formId} close={close} />
      ) : (
        <ExistingRecord view={view} id={id} formId={formId} close={close} />
      )}
    </Drawer>
  );
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

interface ExistingRecordProps extends RecordDrawerProps {
  readonly formId: string;
}

function ExistingRecord({ view, id, ...rest }: ExistingRecordProps) {
  const record = useRecord(view, id);
  return (
    <Loaded query={record}>{(found) => <RecordForm key={found.id} view={view} record={found} {...rest} />}</Loaded>
  );
}

interface RecordFormProps extends Omit<RecordDrawerProps, "id"> {
  readonly record?: ResourceRecord;
  readonly formId: string;
}

function RecordForm({ view, record: latest, formId, close }: RecordFormProps) {
  const { t, language } = useTexts();
  const localize = useLocalized();
  const queries = useQueryClient();
  const fields = toFormFields(latest ? view.edit : view.form);
  const reload = () => refetch(queries, [view.kind]);
  const create = async (values: Values) => {
    const body = latest ? toNewRecord(view, latest, values) : toPatch(fields, values, undefined);
    const one = await createRecord(view, body);
    await reload();
    showToast({ text: t("createdOne", { name: toRecordName(one) }) });
    const secrets = view.created.map(({ field, title }) => ({
      label: localize(title),
      value: String(one[field] ?? ""),
    }));
    if (secrets.length > 0) showOneTimeSecret({ title: toRecordName(one), hint: t("onceHint"), secrets });
    return one;
  };
  const change = async (before: ResourceRecord, values: Values, ifMatch: number | undefined) => {
    const patch = toPatch(fields, values, before);
    const now = await changeRecord(view, before.id, patch, ifMatch);
    await reload();
    const previous = Object.fromEntries(Object.keys(patch).map((name) => [name, before[name] ?? null]));
    const undo = () =>
      void changeRecord(view, before.id, previous, now.revision)
        .then(reload)
        .catch((thrown) => showToast({ text: formatError(thrown, t), isBad: true }));
    showToast({ text: t("savedOne", { name: toRecordName(now) }), undo });
    return now;
  };
  const form = useRecordForm<Values, ResourceRecord>({
    record: latest,
    toDraft: (stored) => toInitialValues(fields, stored),
    isPatch: true,
    isValid: (draft) => !Object.values(draft).some(isJsonDraft),
    ...(latest && { read: () => readRecord(view, latest.id) }),
    change,
    create: view.verbs.includes("create") ? create : undefined,
    onSaved: () => close(true),
  });
  const { props, record, draft, initial, update, isValid, isBusy } = form;
  // Compares patches, since an empty field equals a missing one.
  const isChanged = !isDeepEqual(toPatch(fields, draft, record), toPatch(fields, initial, record));
  return (
    <>
      <div className={recordDrawerCss.drawerScroll}>
        <FieldsForm
          {...props}
          id={formId}
          fields={fields}
          values={draft}
          onChange={(name, value) => update({ [name]: value })}
          isChanged={isChanged}
        />
        {record && typeof record.created_at === "string" && (
          <Text size="xs" c="dimmed" mt="lg">
            {t("createdAt")} {formatTime(record.created_at, language)}
            {record.updated_at !== record.created_at &&
              ` · ${t("changedAt")} ${formatTime(String(record.updated_at), language)}`}
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="xs" className={recordDrawerCss.drawerFoot}>
        <Button variant="default" onClick={() => close(false)}>
          {t("cancel")}
        </Button>
        <Button
          type="submit"
          form={formId}
          loading={isBusy}
          disabled={!isValid || (record !== undefined && !isChanged)}
          data-testid="save-record"
        >
          {t(record ? "save" : "create")}
        </Button>
      </Group>
    </>
  );
}

/** Returns the values to create a copy of the record with, including unsaved changes. */
function toNewRecord(view: ResourceView, record: ResourceRecord, values: Values): Values {
  return toPatch(toFormFields(view.form), { ...record, ...values }, undefined);
}

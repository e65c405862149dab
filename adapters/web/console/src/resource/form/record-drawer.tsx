import { Button, Drawer, Group, Text } from "@mantine/core";
import type { ResourceView } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../shared/api/client.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { formatError, formatTime, Loaded } from "../../shared/ui/common.tsx";
import { showOneTimeSecret } from "../../shared/ui/feedback/one-time-secret.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { RestoreFocus } from "../../shared/ui/page/restore-focus.tsx";
import { type ResourceRecord, recordName, recordPath, useRecord } from "../records.ts";
import { useTexts } from "../texts.ts";
import { initialValues, toFormFields, toPatch, type Values } from "./fields.ts";
import { FieldsForm } from "./fields-form.tsx";
import { isJsonDraft } from "./json-draft.ts";
import recordDrawerCss from "./record-drawer.module.css";

interface RecordDrawerProps {
  readonly view: ResourceView;
  /** Record id; `new` for a new one. */
  readonly id: string;
  /** Returns to the list. */
  readonly close: (isSaved: boolean) => void;
}

/** The form of one record, beside its list. */
export function RecordDrawer({ view, id, close }: RecordDrawerProps) {
  const { t } = useTexts();
  const local = useLocalized();
  const form = useId();
  return (
    <Drawer
      opened
      onClose={() => close(false)}
      position="right"
      size="lg"
      title={id === "new" ? t("newNamed", { name: local(view.title.one) }) : capitalize(local(view.title.one))}
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
        <RecordForm view={view} form={form} close={close} />
      ) : (
        <ExistingRecord view={view} id={id} form={form} close={close} />
      )}
    </Drawer>
  );
}

/** As a title: with a capital. */
function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

interface ExistingRecordProps extends RecordDrawerProps {
  readonly form: string;
}

function ExistingRecord({ view, id, ...rest }: ExistingRecordProps) {
  const record = useRecord(view, id);
  return (
    <Loaded query={record}>{(found) => <RecordForm key={found.id} view={view} record={found} {...rest} />}</Loaded>
  );
}

interface RecordFormProps extends Omit<RecordDrawerProps, "id"> {
  readonly record?: ResourceRecord;
  readonly form: string;
}

function RecordForm({ view, record: latest, form, close }: RecordFormProps) {
  const { t, language } = useTexts();
  const local = useLocalized();
  const queries = useQueryClient();
  // What others change meanwhile must not run over what is being written.
  const [record, setRecord] = useState(latest);
  const fields = toFormFields(record ? view.edit : view.form);
  const [values, setValues] = useState<Values>(() => initialValues(fields, record));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const changes = toPatch(fields, values, record);
  const isChanged =
    Object.keys(record ? changes : toPatch(fields, values, initialValues(fields, undefined))).length > 0;
  const isBroken = Object.values(values).some(isJsonDraft);
  const reload = async () => {
    await refetch(queries, [view.kind]);
  };
  const save = async (store: () => Promise<void>) => {
    if (isBroken || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await store();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const create = async (values: Values) => {
    const one = await api.post<ResourceRecord>(view.path, values);
    await reload();
    toast({ text: t("madeOne", { name: recordName(one) }) });
    const secrets = view.created.map(({ field, title }) => ({ label: local(title), value: String(one[field] ?? "") }));
    if (secrets.length > 0) showOneTimeSecret({ title: recordName(one), hint: t("onceHint"), secrets });
    close(true);
  };
  const change = async (before: ResourceRecord, ifMatch: number | undefined) => {
    const path = recordPath(view, before.id);
    const now = await api.call<ResourceRecord>("PUT", path, { body: changes, ifMatch });
    await reload();
    const back = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name] ?? null]));
    const undo = () =>
      void api
        .call("PUT", path, { body: back, ifMatch: now.revision })
        .then(reload)
        .catch((thrown) => toast({ text: formatError(thrown, t), isBad: true }));
    toast({ text: t("savedOne", { name: recordName(now) }), undo });
    close(true);
  };
  const readTheirs = async () => {
    if (!record) return;
    const now = await api.get<ResourceRecord>(recordPath(view, record.id));
    setRecord(now);
    setValues(initialValues(fields, now));
    setError(undefined);
  };
  return (
    <>
      <div className={recordDrawerCss.drawerScroll}>
        <FieldsForm
          id={form}
          fields={fields}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          error={error}
          submit={() => void save(() => (record ? change(record, record.revision) : create(changes)))}
          isChanged={isChanged}
          meanwhile={
            record && {
              id: record.id,
              comparison: createComparison<Values>(
                changes,
                () => api.get<ResourceRecord>(recordPath(view, record.id)),
                (taken) => setValues((before) => ({ ...before, ...taken })),
              ),
              onTakeTheirs: readTheirs,
              onKeepMine: () => save(() => change(record, getConflictRevision(error))),
              ...(view.verbs.includes("create") && {
                onSaveAsNew: () => save(() => create(toNewRecord(view, record, values))),
              }),
            }
          }
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
          form={form}
          loading={isBusy}
          disabled={isBroken || (record !== undefined && !isChanged)}
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

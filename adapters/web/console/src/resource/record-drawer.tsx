import { Button, Drawer, Group, Text } from "@mantine/core";
import type { ResourceView } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../shared/api/client.ts";
import { useLocal } from "../shared/i18n/local.ts";
import { readAgain } from "../shared/live/read-again.ts";
import { theirRevision } from "../shared/ui/changed-meanwhile.tsx";
import { Loaded, reasonOf, timeOf } from "../shared/ui/common.tsx";
import { compared } from "../shared/ui/differences.tsx";
import { FocusBack } from "../shared/ui/focus-back.tsx";
import { showOnce } from "../shared/ui/secret-once.tsx";
import { toast } from "../shared/ui/toasts.tsx";
import { changesOf, fieldsOf, startOf, type Values } from "./fields.ts";
import { FieldsForm } from "./fields-form.tsx";
import { isJsonDraft } from "./json-draft.ts";
import recordDrawerCss from "./record-drawer.module.css";
import { nameOf, pathOf, type ResourceRecord, useRecord } from "./records.ts";
import { useTexts } from "./texts.ts";

interface RecordDrawerProps {
  readonly view: ResourceView;
  /** `new` for one that is to be made. */
  readonly id: string;
  /** Goes back to the list. */
  readonly close: (isSaved: boolean) => void;
}

/** The form of one record, beside the list that it belongs to. */
export function RecordDrawer({ view, id, close }: RecordDrawerProps) {
  const { t } = useTexts();
  const local = useLocal();
  const form = useId();
  return (
    <Drawer
      opened
      onClose={() => close(false)}
      position="right"
      size="lg"
      title={id === "new" ? t("newNamed", { name: local(view.title.one) }) : begun(local(view.title.one))}
      closeButtonProps={{ "aria-label": t("close") }}
      classNames={{
        body: recordDrawerCss.drawerBody,
        content: recordDrawerCss.drawer,
        header: recordDrawerCss.drawerHead,
        title: recordDrawerCss.drawerTitle,
      }}
    >
      <FocusBack />
      {id === "new" ? (
        <RecordForm view={view} form={form} close={close} />
      ) : (
        <Existing view={view} id={id} form={form} close={close} />
      )}
    </Drawer>
  );
}

/** As a title: with a capital. */
function begun(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

interface ExistingProps extends RecordDrawerProps {
  readonly form: string;
}

function Existing({ view, id, ...rest }: ExistingProps) {
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
  const local = useLocal();
  const queries = useQueryClient();
  // What others change meanwhile must not run over what is being written.
  const [record, setRecord] = useState(latest);
  const fields = fieldsOf(record ? view.edit : view.form);
  const [values, setValues] = useState<Values>(() => startOf(fields, record));
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(fields, values, record);
  const isChanged = Object.keys(record ? changes : changesOf(fields, values, startOf(fields, undefined))).length > 0;
  const isBroken = Object.values(values).some(isJsonDraft);
  const again = async () => {
    await readAgain(queries, [view.kind]);
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
    await again();
    toast({ text: t("madeOne", { name: nameOf(one) }) });
    const secrets = view.created.map(({ field, title }) => ({ label: local(title), value: String(one[field] ?? "") }));
    if (secrets.length > 0) showOnce({ title: nameOf(one), hint: t("onceHint"), secrets });
    close(true);
  };
  const change = async (before: ResourceRecord, ifMatch: number | undefined) => {
    const path = pathOf(view, before.id);
    const now = await api.call<ResourceRecord>("PUT", path, { body: changes, ifMatch });
    await again();
    const back = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name] ?? null]));
    const undo = () =>
      void api
        .call("PUT", path, { body: back, ifMatch: now.revision })
        .then(again)
        .catch((thrown) => toast({ text: reasonOf(thrown, t), isBad: true }));
    toast({ text: t("savedOne", { name: nameOf(now) }), undo });
    close(true);
  };
  const readTheirs = async () => {
    if (!record) return;
    const now = await api.get<ResourceRecord>(pathOf(view, record.id));
    setRecord(now);
    setValues(startOf(fields, now));
    setError(undefined);
  };
  return (
    <>
      <div className={recordDrawerCss.drawerScroll}>
        <FieldsForm
          id={form}
          fields={fields}
          values={values}
          put={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          error={error}
          submit={() => void save(() => (record ? change(record, record.revision) : create(changes)))}
          isChanged={isChanged}
          meanwhile={
            record && {
              id: record.id,
              compared: compared<Values>(
                changes,
                () => api.get<ResourceRecord>(pathOf(view, record.id)),
                (taken) => setValues((before) => ({ ...before, ...taken })),
              ),
              theirs: readTheirs,
              mine: () => save(() => change(record, theirRevision(error))),
              ...(view.verbs.includes("create") && { anew: () => save(() => create(whole(view, record, values))) }),
            }
          }
        />
        {record && typeof record.created_at === "string" && (
          <Text size="xs" c="dimmed" mt="lg">
            {t("createdAt")} {timeOf(record.created_at, language)}
            {record.updated_at !== record.created_at &&
              ` · ${t("changedAt")} ${timeOf(String(record.updated_at), language)}`}
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

/** What makes the same record once more, as it stands in the form. */
function whole(view: ResourceView, record: ResourceRecord, values: Values): Values {
  return changesOf(fieldsOf(view.form), { ...record, ...values }, undefined);
}

import { Button, Fieldset, Group, Stack } from "@mantine/core";
import type { SettingGroup } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "../../resource/field.tsx";
import { type FormField, fieldsOf, isSame, problemOf, type Values } from "../../resource/fields.ts";
import { isJsonDraft } from "../../resource/json-draft.ts";
import { api } from "../../shared/api/client.ts";
import { differences, merged, type SettingRow, type Settings, valueAt } from "../../shared/forms/merge-patch.ts";
import { useLocal } from "../../shared/i18n/local.ts";
import { Failure, Loaded, reasonOf } from "../../shared/ui/common.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { UnsavedGuard } from "../../shared/ui/unsaved.tsx";
import { useTexts } from "./texts.ts";

export function SettingsPage() {
  const { t } = useTexts();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
  return (
    <Page title={t("settings")} hint={t("settingsHint")}>
      <Loaded query={settings}>{(values) => <SettingsForm values={values} />}</Loaded>
    </Page>
  );
}

/** What plugins let people change, in groups. */
function SettingsForm({ values }: { readonly values: Settings }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Values>({});
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { definitions } = values._meta;
  const patch = differences(values, changed);
  const isChanged = Object.keys(patch).length > 0;
  const isBroken = Object.values(changed).some(isJsonDraft);
  const problem = error
    ? problemOf(
        reasonOf(error, t),
        definitions.map(({ key }) => key),
      )
    : undefined;
  const store = async (what: Values) => {
    await api.put("/api/settings", merged(what));
    await queries.invalidateQueries({ queryKey: ["settings"] });
  };
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    const before = Object.fromEntries(Object.keys(patch).map((key) => [key, valueAt(values, key)]));
    setBusy(true);
    setError(undefined);
    try {
      await store(patch);
      setChanged({});
      toast({ text: t("saved"), undo: () => void store(before).catch(setError) });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const groups = Map.groupBy(definitions, ({ group }) => group);
  return (
    <form onSubmit={save}>
      <UnsavedGuard isChanged={isChanged && !isBusy} />
      <Stack maw="38rem" gap="md">
        {[...groups].map(([group, rows]) => (
          <Fieldset key={group} legend={t(groupText(group))}>
            <Stack gap="md">
              {rows.map((row) => (
                <Setting
                  key={row.key}
                  row={row}
                  values={values}
                  value={row.key in changed ? changed[row.key] : valueAt(values, row.key)}
                  error={problem?.field === row.key ? problem.said : undefined}
                  put={(value) => setChanged((before) => ({ ...before, [row.key]: value ?? null }))}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
        {problem && problem.field === undefined && <Failure error={error} />}
      </Stack>
      <Group className="save-bar" data-shown={isChanged} gap="xs" justify="flex-end">
        <Button variant="default" disabled={!isChanged || isBusy} onClick={() => setChanged({})}>
          {t("discard")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={!isChanged || isBroken}>
          {t("save")}
        </Button>
      </Group>
    </form>
  );
}

interface SettingProps {
  readonly row: SettingRow;
  readonly values: Settings;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly put: (value: unknown) => void;
}

function Setting({ row, values, value, error, put }: SettingProps) {
  const { t } = useTexts();
  const local = useLocal();
  const field = fieldOf(row);
  const hints = [
    row.help && local(row.help),
    values._meta.sources[row.key] === "env" && t("fromEnvironment"),
    row.restart_required && t("needsRestart"),
  ].filter(Boolean);
  const help = hints.join(" ");
  const isOther = !isSame(value ?? null, row.default);
  return (
    <div>
      <Field
        field={{ ...field, help: { en: help, zh: help }, ...(row.key === "timezone" && { suggestions: row.key }) }}
        value={value}
        error={error}
        put={put}
      />
      {isOther && (
        <Button size="compact-xs" variant="subtle" color="gray" mt={2} ml={-6} onClick={() => put(row.default)}>
          {t("toDefault")}
        </Button>
      )}
      {row.key === "timezone" && (
        <datalist id={row.key}>
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function fieldOf({ key, schema, title }: SettingRow): FormField {
  const [field] = fieldsOf({ properties: { [key]: { ...schema, "x-parley": { title } } } });
  if (!field) throw new Error(`the setting '${key}' has no field`);
  return field;
}

function groupText(group: SettingGroup) {
  return `group_${group}` as const;
}

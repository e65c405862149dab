import { Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import type { SettingGroup } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isDeepEqual, type Values } from "../../resource/form/fields.ts";
import { isJsonDraft } from "../../resource/form/json-draft.ts";
import { api } from "../../shared/api/client.ts";
import { diffValues, getValue, type SettingRow, type Settings, toMergePatch } from "../../shared/forms/merge-patch.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { matchWords } from "../../shared/match-words.ts";
import { formatError, Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FindingRow, useFindings } from "../../shared/ui/feedback/finding.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { Setting } from "./setting.tsx";
import settingsCss from "./settings.module.css";
import { useTexts } from "./texts.ts";

export function SettingsPage() {
  const { t } = useTexts();
  const findings = useFindings();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
  return (
    <Page title={t("settings")} hint={t("settingsHint")}>
      {findings.data?.items
        .filter(({ key }) => key === "settings.restart")
        .map((one) => (
          <FindingRow key={one.key} finding={one} isHere />
        ))}
      <Loaded query={settings}>{(values) => <SettingsForm latest={values} />}</Loaded>
    </Page>
  );
}

/** The settings of all plugins, in groups. */
function SettingsForm({ latest }: { readonly latest: Settings }) {
  const { t } = useTexts();
  const local = useLocalized();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Values>({});
  const [values, hold] = useState(latest);
  // What others set is shown at once, but not over what is being changed here.
  const isOfOthers = (key: string) => isDeepEqual(getValue(latest, key), getValue(values, key));
  if (values !== latest && Object.keys(changed).every(isOfOthers)) hold(latest);
  const [sought, seek] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { definitions } = values._meta;
  const patch = diffValues(values, changed);
  const isChanged = Object.keys(patch).length > 0;
  const isBroken = Object.values(changed).some(isJsonDraft);
  const store = async (what: Values, ifMatch: number | undefined) => {
    const stored = await api.call<Settings>("put", "/api/settings", { body: toMergePatch(what), ifMatch });
    await Promise.all([["settings"], ["findings"]].map((queryKey) => refetch(queries, queryKey)));
    return stored;
  };
  const tried = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const save = (ifMatch: number | undefined) =>
    tried(async () => {
      const before = Object.fromEntries(Object.keys(patch).map((key) => [key, getValue(values, key)]));
      const stored = await store(patch, ifMatch);
      // What was written meanwhile is not saved yet, and builds on what was.
      setChanged((now) => omitUnchanged(changed, now));
      hold(stored);
      toast({
        text: t(restarts.length > 0 ? "savedForRestart" : "saved"),
        undo: () =>
          void store(before, stored.revision).catch((thrown) => toast({ text: formatError(thrown, t), isBad: true })),
      });
    });
  const readTheirs = () =>
    tried(async () => {
      setChanged({});
      await refetch(queries, ["settings"]);
    });
  const readSet = async () => {
    const now = await api.get<Settings>("/api/settings");
    return Object.fromEntries(Object.keys(patch).map((key) => [key, getValue(now, key)]));
  };
  const take = (theirs: Values) => setChanged((before) => ({ ...before, ...theirs }));
  const meanwhile = {
    id: "settings",
    comparison: createComparison<Values>(patch, readSet, take),
    onTakeTheirs: readTheirs,
    onKeepMine: () => save(getConflictRevision(error)),
  };
  const groups = Map.groupBy(definitions.filter(matchesSearch(sought)), ({ group }) => group);
  const restarts = definitions.filter(({ key, restart_required }) => restart_required && key in patch);
  return (
    <Form error={error} onSubmit={() => save(values.revision)} isChanged={isChanged} conflict={meanwhile}>
      <TextInput
        type="search"
        value={sought}
        onChange={({ currentTarget }) => seek(currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        placeholder={t("seekSettings")}
        aria-label={t("seekSettings")}
        leftSection={<Icon name="search" size={16} />}
        maw="38rem"
        mb="md"
        data-testid="seek-settings"
      />
      <Stack maw="38rem" gap="md">
        {groups.size === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {t("noSuchSetting")}
          </Text>
        )}
        {[...groups].map(([group, rows]) => (
          <Fieldset key={group} legend={t(groupTitle(group))}>
            <Stack gap="md">
              {rows.map((row) => (
                <FormControl key={row.key} name={row.key} label={local(row.title)}>
                  <Setting
                    row={row}
                    values={values}
                    value={row.key in changed ? changed[row.key] : getValue(values, row.key)}
                    onChange={(value) => setChanged((before) => ({ ...before, [row.key]: value ?? null }))}
                  />
                </FormControl>
              ))}
            </Stack>
          </Fieldset>
        ))}
        <FormErrors />
      </Stack>
      <Group className={settingsCss.saveBar} data-save-bar data-shown={isChanged} gap="xs" justify="flex-end">
        <Button variant="default" disabled={!isChanged || isBusy} onClick={() => setChanged({})}>
          {t("discard")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={!isChanged || isBroken}>
          {t("save")}
        </Button>
      </Group>
    </Form>
  );
}

/** Returns the values that differ from the saved ones. */
function omitUnchanged(saved: Values, now: Values): Values {
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => !isDeepEqual(value, saved[key])));
}

/** Returns a test for settings that contain all words in title or description, in either language. */
function matchesSearch(sought: string) {
  const isThere = matchWords(sought);
  return ({ key, title, help }: SettingRow) => isThere([key, title.en, title.zh, help?.en, help?.zh].join(" "));
}

function groupTitle(group: SettingGroup) {
  return `group_${group}` as const;
}

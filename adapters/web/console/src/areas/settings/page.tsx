import { Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import type { SettingGroup } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../shared/api/client.ts";
import type { Values } from "../../shared/forms/form-fields.ts";
import { isJsonDraft } from "../../shared/forms/json-draft.ts";
import { getValue, type SettingRow, type Settings, toMergePatch } from "../../shared/forms/merge-patch.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { diffValues } from "../../shared/is-deep-equal.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { matchWords } from "../../shared/match-words.ts";
import { formatError, Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FindingRow, useFindings } from "../../shared/ui/feedback/finding.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { Page } from "../../shared/ui/page/page.tsx";
import { Setting } from "./setting.tsx";
import settingsCss from "./settings.module.css";
import { useTexts } from "./texts.ts";

export function SettingsPage() {
  const { t } = useTexts();
  const findings = useFindings();
  const settings = useQuery({ queryKey: ["settings"], queryFn: fetchSettings });
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

const fetchSettings = () => parley.get("/api/settings");

/** Returns the values of all settings by key. */
function toDraft(settings: Settings | undefined): Values {
  return Object.fromEntries((settings?._meta.definitions ?? []).map(({ key }) => [key, getValue(settings ?? {}, key)]));
}

/** The settings of all plugins, in groups. */
function SettingsForm({ latest }: { readonly latest: Settings }) {
  const { t } = useTexts();
  const localize = useLocalized();
  const queries = useQueryClient();
  const [query, setQuery] = useState("");
  const store = async (patch: Values, ifMatch: number | undefined) => {
    const stored = await parley.put("/api/settings", { body: toMergePatch(patch), ifMatch });
    await Promise.all([["settings"], ["findings"]].map((queryKey) => refetch(queries, queryKey)));
    return stored;
  };
  const form = useRecordForm({
    record: latest,
    id: "settings",
    toDraft,
    isPatch: true,
    isValid: (draft) => !Object.values(draft).some(isJsonDraft),
    read: fetchSettings,
    change: async (before, draft, ifMatch) => {
      const values = toDraft(before);
      const patch = diffValues(draft, values);
      const stored = await store(patch, ifMatch);
      const undo = Object.fromEntries(Object.keys(patch).map((key) => [key, values[key] ?? null]));
      showToast({
        text: t(definitions.some((row) => row.restart_required && row.key in patch) ? "savedForRestart" : "saved"),
        undo: () =>
          void store(undo, stored.revision).catch((thrown) => showToast({ text: formatError(thrown, t), isBad: true })),
      });
      return stored;
    },
  });
  const { props, record: values = latest, draft, update, isChanged, isValid, isBusy } = form;
  const { definitions } = values._meta;
  const groups = Map.groupBy(definitions.filter(createSearchFilter(query)), ({ group }) => group);
  return (
    <Form {...props}>
      <TextInput
        type="search"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        placeholder={t("searchSettings")}
        aria-label={t("searchSettings")}
        leftSection={<Icon name="search" size={16} />}
        maw="38rem"
        mb="md"
        data-testid="settings-search"
      />
      <Stack maw="38rem" gap="md">
        {groups.size === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {t("noSettingMatches")}
          </Text>
        )}
        {[...groups].map(([group, rows]) => (
          <Fieldset key={group} legend={t(toGroupTitle(group))}>
            <Stack gap="md">
              {rows.map((row) => (
                <FormControl key={row.key} name={row.key} label={localize(row.title)}>
                  <Setting
                    row={row}
                    values={values}
                    value={draft[row.key]}
                    onChange={(value) => update({ [row.key]: value ?? null })}
                  />
                </FormControl>
              ))}
            </Stack>
          </Fieldset>
        ))}
        <FormErrors />
      </Stack>
      <Group className={settingsCss.saveBar} data-save-bar data-shown={isChanged} gap="xs" justify="flex-end">
        <Button variant="default" disabled={!isChanged || isBusy} onClick={() => form.restart(values)}>
          {t("discard")}
        </Button>
        <Button type="submit" loading={isBusy} disabled={!isChanged || !isValid}>
          {t("save")}
        </Button>
      </Group>
    </Form>
  );
}

/** Returns a predicate for settings with all words of the query in key, title or description, in either language. */
function createSearchFilter(query: string) {
  const matchesQuery = matchWords(query);
  return ({ key, title, help }: SettingRow) => matchesQuery([key, title.en, title.zh, help?.en, help?.zh].join(" "));
}

function toGroupTitle(group: SettingGroup) {
  return `group_${group}` as const;
}

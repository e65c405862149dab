import { Alert, Button, Fieldset, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { differences, merged, type Settings, valueAt } from "../../shared/forms/merge-patch.ts";
import { Failure, Loaded } from "../../shared/ui/common.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { SettingField } from "./setting-field.tsx";
import { SETTING_GROUPS, type SettingGroup } from "./setting-groups.ts";
import { type TextKey, useTexts } from "./texts.ts";

const GROUPS: readonly SettingGroup<TextKey>[] = SETTING_GROUPS;

export function SettingsPage() {
  const { t } = useTexts();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  return (
    <Page title={t("settings")}>
      <Loaded query={settings}>{(values) => <SettingsForm values={values} />}</Loaded>
    </Page>
  );
}

function SettingsForm({ values }: { readonly values: Settings }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Readonly<Record<string, unknown>>>({});
  const [state, setState] = useState<"idle" | "busy" | "saved">("idle");
  const [error, setError] = useState<unknown>();
  const patch = differences(values, changed);
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    setState("busy");
    setError(undefined);
    try {
      await parley.put("/api/settings", { body: merged(patch) });
      await queries.invalidateQueries({ queryKey: ["settings"] });
      setChanged({});
      setState("saved");
    } catch (thrown) {
      setError(thrown);
      setState("idle");
    }
  };
  const put = (key: string, value: unknown) => {
    setState("idle");
    setChanged((before) => ({ ...before, [key]: value }));
  };
  return (
    <form onSubmit={save}>
      <Stack maw="34rem" gap="md">
        {GROUPS.map(({ title, rows }) => (
          <Fieldset key={title} legend={t(title)}>
            <Stack gap="sm">
              {rows.map((row) => (
                <SettingField
                  key={row.key}
                  row={row}
                  value={row.key in changed ? changed[row.key] : valueAt(values, row.key)}
                  source={values._meta.sources[row.key]}
                  needsRestart={values._meta.restart_required.includes(row.key)}
                  put={(value) => put(row.key, value)}
                />
              ))}
            </Stack>
          </Fieldset>
        ))}
        <Failure error={error} />
        {state === "saved" && (
          <Alert color="parley" py="xs" role="status">
            {t("saved")}
          </Alert>
        )}
        <Button
          type="submit"
          loading={state === "busy"}
          disabled={Object.keys(patch).length === 0}
          style={{ alignSelf: "flex-start" }}
        >
          {t("save")}
        </Button>
      </Stack>
    </form>
  );
}

import { Alert, Button, Fieldset, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../shared/api/client.ts";
import { differences, merged, type Settings, valueAt } from "../../shared/forms/merge-patch.ts";
import { Failure, Loaded } from "../../shared/ui/common.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { SettingField } from "./setting-field.tsx";
import { useTexts } from "./texts.ts";

/** In the order of the page; the service sends none but these. */
const GROUPS = ["general", "answering", "people", "network", "connections", "system"] as const;

export function SettingsPage() {
  const { t } = useTexts();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
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
      await api.put("/api/settings", merged(patch));
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
        {GROUPS.map((group) => {
          const offered = values._meta.definitions.filter((setting) => setting.group === group);
          if (offered.length === 0) return null;
          return (
            <Fieldset key={group} legend={t(group)}>
              <Stack gap="sm">
                {offered.map((setting) => (
                  <SettingField
                    key={setting.key}
                    setting={setting}
                    value={setting.key in changed ? changed[setting.key] : valueAt(values, setting.key)}
                    source={values._meta.sources[setting.key]}
                    put={(value) => put(setting.key, value)}
                  />
                ))}
              </Stack>
            </Fieldset>
          );
        })}
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

import { Alert, Button, NativeSelect, NumberInput, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { LANGUAGES, useTexts } from "../i18n.ts";
import { Failure, Loaded } from "../parts/common.tsx";

interface Settings {
  readonly web: { readonly title: string };
  readonly language: string;
  readonly timezone: string;
  readonly chat: { readonly turn_timeout_s: number };
  readonly features: { readonly ai: boolean };
}

export function SettingsPage() {
  const { t } = useTexts();
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
  return (
    <div className="page">
      <Title order={1} size="h3" mb="md">
        {t("settings")}
      </Title>
      <Loaded query={settings}>{(values) => <SettingsForm values={values} />}</Loaded>
    </div>
  );
}

function SettingsForm({ values }: { readonly values: Settings }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(values);
  const [isSaved, setSaved] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    try {
      setError(undefined);
      const { web, language, timezone, chat, features } = draft;
      await api.put("/api/settings", {
        web: { title: web.title },
        language,
        timezone,
        chat: { turn_timeout_s: chat.turn_timeout_s },
        features: { ai: features.ai },
      });
      setSaved(true);
      await queries.invalidateQueries({ queryKey: ["settings"] });
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <form onSubmit={save}>
      <Stack maw={420}>
        <TextInput
          label={t("title")}
          value={draft.web.title}
          maxLength={60}
          required
          onChange={({ currentTarget }) => setDraft({ ...draft, web: { title: currentTarget.value } })}
        />
        <NativeSelect
          label={t("plainLanguage")}
          value={draft.language}
          onChange={({ currentTarget }) => setDraft({ ...draft, language: currentTarget.value })}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          label={t("timezone")}
          value={draft.timezone}
          required
          onChange={({ currentTarget }) => setDraft({ ...draft, timezone: currentTarget.value })}
        />
        <NumberInput
          label={t("turnTimeout")}
          min={10}
          max={1800}
          value={draft.chat.turn_timeout_s}
          onChange={(value) => setDraft({ ...draft, chat: { turn_timeout_s: Number(value) } })}
        />
        <Switch
          label={t("answers")}
          checked={draft.features.ai}
          onChange={({ currentTarget }) => setDraft({ ...draft, features: { ai: currentTarget.checked } })}
        />
        <Failure error={error} />
        {isSaved && (
          <Alert color="parley" py="xs" role="status">
            {t("saved")}
          </Alert>
        )}
        <Button type="submit" style={{ alignSelf: "flex-start" }}>
          {t("save")}
        </Button>
      </Stack>
    </form>
  );
}

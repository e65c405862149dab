import {
  Alert,
  Badge,
  Button,
  Card,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Listed } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { ConfirmButton, Failure, Loaded } from "../parts/common.tsx";

interface Model {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly protocol: string;
  readonly base_url: string;
  readonly model: string;
  readonly enabled: boolean;
  readonly is_active: boolean;
  readonly api_key_masked: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly timeout_s: number;
}
interface Protocol {
  readonly id: string;
  readonly name: string;
  readonly default_base_url: string;
}
interface Trial {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly category: string | null;
  readonly detail: string | null;
  readonly sample?: string;
}

export function ModelsPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const [chosen, setChosen] = useState<Model>();
  const models = useQuery({ queryKey: ["model"], queryFn: () => api.get<Listed<Model>>("/api/ai-models?limit=200") });
  const open = (model?: Model) => {
    setChosen(model);
    dialog.open();
  };
  const saved = () => {
    dialog.close();
    void queries.invalidateQueries({ queryKey: ["model"] });
  };
  return (
    <div className="page">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h3">
          {t("models")}
        </Title>
        <Button onClick={() => open()}>{t("addModel")}</Button>
      </Group>
      <Loaded query={models}>
        {({ items }) => (
          <Stack>
            {items.length === 0 && <Alert color="parley">{t("noModels")}</Alert>}
            {items.map((model) => (
              <ModelCard key={model.id} model={model} edit={() => open(model)} />
            ))}
          </Stack>
        )}
      </Loaded>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t(chosen ? "editModel" : "addModel")}
        size="lg"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <ModelForm model={chosen} saved={saved} />
      </Modal>
    </div>
  );
}

function ModelCard({ model, edit }: { readonly model: Model; readonly edit: () => void }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [trial, setTrial] = useState<Trial>();
  const [isTesting, setTesting] = useState(false);
  const [error, setError] = useState<unknown>();
  const path = `/api/ai-models/${model.id}`;
  const fresh = () => queries.invalidateQueries({ queryKey: ["model"] });
  const tried = (work: () => Promise<unknown>) => async () => {
    try {
      setError(undefined);
      await work();
      await fresh();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const test = async () => {
    setTesting(true);
    setTrial(undefined);
    await tried(async () => setTrial(await api.post<Trial>(`${path}/test`)))();
    setTesting(false);
  };
  return (
    <Card withBorder padding="sm" data-testid="model-card">
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600}>{model.name}</Text>
            {model.is_active && <Badge color="parley">{t("active")}</Badge>}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {`${model.model} · ${model.protocol} · ${model.base_url} ${model.api_key_masked}`}
          </Text>
        </div>
        <Group gap={4}>
          <Switch
            size="sm"
            checked={model.enabled}
            onChange={tried(() => api.post(`${path}/toggle`))}
            aria-label={`${t("enabled")}: ${model.name}`}
          />
          <Button size="compact-sm" variant="default" onClick={test} loading={isTesting} data-testid="model-test">
            {t("test")}
          </Button>
          {!model.is_active && (
            <Button
              size="compact-sm"
              variant="light"
              disabled={!model.enabled}
              onClick={tried(() => api.post(`${path}/apply`))}
            >
              {t("use")}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t("edit")}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={tried(() => api.post(`${path}/clone`))}>
            {t("clone")}
          </Button>
          <ConfirmButton label={t("remove")} run={() => api.remove(path).then(fresh)} />
        </Group>
      </Group>
      {trial && (
        <Alert color={trial.ok ? "parley" : "red"} mt="sm" py="xs" role="status" data-testid="model-test-result">
          {trial.ok
            ? `${t("testOk")} (${trial.elapsed_ms} ms): ${trial.sample ?? ""}`
            : `${t("testFailed")} (${trial.category}): ${trial.detail}`}
        </Alert>
      )}
      <Failure error={error} />
    </Card>
  );
}

function ModelForm({ model, saved }: { readonly model: Model | undefined; readonly saved: () => void }) {
  const { t } = useTexts();
  const protocols = useQuery({
    queryKey: ["protocol"],
    queryFn: () => api.get<Listed<Protocol>>("/api/ai-models/protocols"),
  });
  const [error, setError] = useState<unknown>();
  const [protocol, setProtocol] = useState(model?.protocol ?? "openai_chat");
  const [numbers, setNumbers] = useState({
    temperature: model?.temperature ?? 0.7,
    max_tokens: model?.max_tokens ?? 2000,
    timeout_s: model?.timeout_s ?? 60,
  });
  const number = (key: keyof typeof numbers, label: string, min: number, max: number, step = 1) => (
    <NumberInput
      label={label}
      min={min}
      max={max}
      step={step}
      value={numbers[key]}
      onChange={(value) => setNumbers({ ...numbers, [key]: Number(value) })}
    />
  );
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const key = text("api_key");
    const baseUrl = text("base_url");
    const body = {
      name: text("name"),
      protocol,
      model: text("model"),
      ...numbers,
      ...(baseUrl && { base_url: baseUrl }),
      ...(key && { api_key: key }),
    };
    try {
      if (model) await api.put(`/api/ai-models/${model.id}`, body);
      else await api.post("/api/ai-models", body);
      saved();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const known = protocols.data?.items ?? [];
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="name" label={t("name")} defaultValue={model?.name} required maxLength={100} data-autofocus />
        <NativeSelect
          label={t("protocol")}
          value={protocol}
          onChange={({ currentTarget }) => setProtocol(currentTarget.value)}
          data={known.filter(({ id }) => id !== "offline").map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextInput
          name="base_url"
          label={t("baseUrl")}
          defaultValue={model?.base_url}
          placeholder={known.find(({ id }) => id === protocol)?.default_base_url ?? ""}
        />
        <TextInput name="model" label={t("model")} defaultValue={model?.model} required maxLength={200} />
        <PasswordInput
          name="api_key"
          label={t("apiKey")}
          description={t("keyHint")}
          autoComplete="off"
          placeholder={model?.api_key_masked ?? ""}
        />
        <Group grow align="flex-end">
          {number("temperature", t("temperature"), 0, 2, 0.1)}
          {number("max_tokens", t("maxTokens"), 1, 1_000_000)}
          {number("timeout_s", t("timeout"), 1, 600)}
        </Group>
        <Failure error={error} />
        <Button type="submit">{t("save")}</Button>
      </Stack>
    </form>
  );
}

import { Alert, Badge, Card, Group, Stack, Switch, Text, Title } from "@mantine/core";
import type { PluginStatus } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Listed } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { Failure, Loaded } from "../parts/common.tsx";
import { type FormSchema, SchemaForm } from "../parts/schema-form.tsx";

export function PluginsPage() {
  const { t } = useTexts();
  const plugins = useQuery({ queryKey: ["plugin"], queryFn: () => api.get<Listed<PluginStatus>>("/api/plugins") });
  return (
    <div className="page">
      <Title order={1} size="h3" mb="md">
        {t("plugins")}
      </Title>
      <Loaded query={plugins}>
        {({ items }) => (
          <Stack>
            {items.map((plugin) => (
              <PluginCard key={plugin.id} plugin={plugin} />
            ))}
          </Stack>
        )}
      </Loaded>
    </div>
  );
}

function PluginCard({ plugin }: { readonly plugin: PluginStatus }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const change = async (patch: object) => {
    await api.put(`/api/plugins/${plugin.id}`, patch);
    await queries.invalidateQueries();
  };
  const toggle = async (enabled: boolean) => {
    try {
      setError(undefined);
      await change({ enabled });
    } catch (thrown) {
      setError(thrown);
    }
  };
  const state = { running: t("running"), disabled: t("disabled"), failed: t("failedState") }[plugin.state];
  const color = { running: "parley", disabled: "gray", failed: "red" }[plugin.state];
  return (
    <Card withBorder padding="sm" data-testid="plugin-card" data-plugin={plugin.id}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{plugin.id}</Text>
          <Badge color={color}>{state}</Badge>
          <Text size="sm" c="dimmed">{`${plugin.package} ${plugin.version}`}</Text>
        </Group>
        <Switch
          checked={plugin.enabled}
          onChange={({ currentTarget }) => void toggle(currentTarget.checked)}
          aria-label={`${t("enabled")}: ${plugin.id}`}
        />
      </Group>
      {plugin.failure && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {plugin.failure}
        </Alert>
      )}
      <Failure error={error} />
      <details>
        <summary>
          <Text span size="sm" c="dimmed">
            {t("settings")}
          </Text>
        </summary>
        <Stack gap="xs" mt="xs">
          {plugin.path && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {`${t("from")}: ${plugin.path}`}
            </Text>
          )}
          {plugin.adds.length > 0 && <Text size="xs" c="dimmed">{`${t("adds")}: ${plugin.adds.join(", ")}`}</Text>}
          <SchemaForm
            schema={(plugin.config_schema ?? {}) as FormSchema}
            values={plugin.config}
            save={(config) => change({ config })}
          />
        </Stack>
      </details>
    </Card>
  );
}

import { Alert, Badge, Button, Card, Group, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PluginStatus } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormSchema, SchemaForm } from "../../shared/forms/schema-form.tsx";
import { Failure, Loaded, useTried } from "../../shared/ui/common.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { useReload } from "../../shared/ui/reload.tsx";
import { plugins } from "./api.ts";
import { useTexts } from "./texts.ts";

/** A plugin may change anything: everything is read again. */
const EVERYTHING = [[]] as const;
const ORDER = { failed: 0, running: 1, disabled: 2 } as const;

export function PluginsPage() {
  const { t } = useTexts();
  const { button, told } = useReload();
  const list = useQuery({ queryKey: ["plugin"], queryFn: plugins.list });
  return (
    <Page title={t("plugins")} hint={t("pluginsHint")} actions={button("reload-core")}>
      {told}
      <Loaded query={list}>
        {({ items }) => (
          <Stack gap="xs">
            {[...items]
              .sort((a, b) => ORDER[a.state] - ORDER[b.state])
              .map((plugin) => (
                <PluginCard key={plugin.id} plugin={plugin} />
              ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function PluginCard({ plugin }: { readonly plugin: PluginStatus }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { tried, isBusy, error } = useTried(EVERYTHING);
  const [isAsking, dialog] = useDisclosure(false);
  const { id, state, version, path, failure, adds, enabled, config, config_schema, required, required_reason } = plugin;
  const turn = (isOn: boolean) =>
    tried(async () => {
      dialog.close();
      await plugins.change(id, { enabled: isOn });
    });
  const schema = (config_schema ?? {}) as FormSchema;
  const change = async (changed: Readonly<Record<string, unknown>>) => {
    // A plugin's settings are kept as they are sent: back to the default means the default itself.
    const wanted = Object.entries(changed).map(([key, value]) => [
      key,
      value ?? schema.properties?.[key]?.default ?? null,
    ]);
    await plugins.change(id, { config: Object.fromEntries(wanted) });
    await queries.invalidateQueries();
  };
  const text = { running: t("running"), disabled: t("disabled"), failed: t("failedState") }[state];
  const color = { running: "parley", disabled: "gray", failed: "red" }[state];
  return (
    <Card withBorder padding="sm" data-testid="plugin-card" data-plugin={id}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <Text fw={600}>{id}</Text>
          <Badge color={color} variant={state === "failed" ? "filled" : "light"}>
            {text}
          </Badge>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>{`${plugin.package} ${version}`}</Text>
        </Group>
        {required ? (
          <Text
            size="sm"
            c="dimmed"
            style={{ whiteSpace: "nowrap" }}
            title={required_reason ?? undefined}
            data-testid="required"
          >
            {t("needed")}
          </Text>
        ) : (
          <Switch
            checked={enabled}
            disabled={isBusy}
            onChange={enabled ? dialog.open : turn(true)}
            aria-label={`${t("enabled")}: ${id}`}
          />
        )}
      </Group>
      <SwitchOff plugin={plugin} isOpen={isAsking} isBusy={isBusy} close={dialog.close} run={turn(false)} />
      {failure && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {failure}
        </Alert>
      )}
      <Failure error={error} />
      <details className="folded">
        <summary>{t("details")}</summary>
        <Stack gap={6} mt="xs">
          {path && <Fact label={t("from")}>{path}</Fact>}
          {adds.length > 0 && <Fact label={t("adds")}>{adds.join(", ")}</Fact>}
          <SchemaForm schema={schema} values={config} save={change} />
        </Stack>
      </details>
    </Card>
  );
}

interface SwitchOffProps {
  readonly plugin: PluginStatus;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly close: () => void;
  readonly run: () => Promise<void>;
}

/** Names what goes before it goes. */
function SwitchOff({ plugin: { id, adds }, isOpen, isBusy, close, run }: SwitchOffProps) {
  const { t } = useTexts();
  return (
    <Dialog opened={isOpen} onClose={close} title={`${t("switchOff")}: ${id}`}>
      <Text size="sm">{t("switchOffHint")}</Text>
      <Text size="sm" fw={600} my="xs" className="doomed" data-testid="what-goes">
        {adds.length > 0 ? adds.join(", ") : t("switchOffNothing")}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          {t("cancel")}
        </Button>
        <Button color="red" onClick={run} loading={isBusy} data-testid="switch-off">
          {t("switchOff")}
        </Button>
      </Group>
    </Dialog>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: string }) {
  return <Text size="xs" style={{ overflowWrap: "anywhere" }}>{`${label}: ${children}`}</Text>;
}

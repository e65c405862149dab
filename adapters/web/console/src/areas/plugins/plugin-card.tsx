import { Alert, Badge, Button, Card, Group, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PluginStatus } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { toFormSchema } from "../../shared/forms/schema.ts";
import { SchemaForm } from "../../shared/forms/schema-form.tsx";
import type { KeyOf, Translate } from "../../shared/i18n/i18n.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { type Finding, FindingRow } from "../../shared/ui/feedback/finding.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { plugins } from "./api.ts";
import { LogLevelBadge, LogLevelSelect } from "./log-level.tsx";
import { PluginIcon } from "./plugin-icon.tsx";
import { useTexts } from "./texts.ts";

/** A plugin may affect any page, so all queries are refetched. */
const ALL_QUERIES = [[]] as const;
/** Names of the extension points that users notice; all others are counted as internal services. */
const POINT_TEXTS = {
  "route-tables": "addsApi",
  resources: "addsRecords",
  tools: "addsTools",
  "tool-tables": "addsTools",
  "tool-sources": "addsTools",
  "turn-stages": "addsStages",
  "channel-adapters": "addsChannels",
  "chat-commands": "addsCommands",
  "console-areas": "addsPages",
  "setting-definitions": "addsSettings",
  "model-protocols": "addsProtocols",
  "prompt-sources": "addsPrompts",
  "job-kinds": "addsJobs",
  "task-kinds": "addsTasks",
  "mcp-resources": "addsMcp",
  "mcp-prompts": "addsMcp",
  "record-lifecycle": "addsLifecycle",
  probes: "addsProbes",
  checks: "addsChecks",
  "transfer-sections": "addsTransfer",
  "console-pages": "addsPages",
  "socket-doors": "addsSockets",
} as const satisfies Readonly<Record<string, KeyOf<typeof useTexts>>>;

interface PluginCardProps {
  readonly plugin: PluginStatus;
  readonly findings: readonly Finding[];
  /** Opens the dialog that removes its package. */
  readonly remove: () => void;
}

/** One plugin: title, description, state, additions and settings. */
export function PluginCard({ plugin, findings, remove }: PluginCardProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const title = localize(plugin.title);
  const queries = useQueryClient();
  const { toHandler, isBusy, error } = useAction(ALL_QUERIES);
  const [isOpen, dialog] = useDisclosure(false);
  const { id, state, version, path, failure, adds, enabled, config_schema, required, required_texts } = plugin;
  const setEnabled = (isOn: boolean) =>
    toHandler(async () => {
      dialog.close();
      await plugins.change(id, { enabled: isOn });
      if (!isOn) showToast({ text: t("switchedOff", { name: title }), undo: () => void setEnabled(true)() });
    });
  const reload = toHandler(async () => {
    await plugins.reload([id]);
    showToast({ text: t("reloadedOne", { name: title }) });
  });
  const schema = toFormSchema(config_schema);
  const saveSettings = async (changed: Readonly<Record<string, unknown>>, ifMatch: number | undefined) => {
    // The service stores plugin settings as sent, so a reset sends the default itself.
    const patch = Object.entries(changed).map(([key, value]) => [
      key,
      value ?? schema.properties?.[key]?.default ?? null,
    ]);
    const stored = await plugins.change(id, { config: Object.fromEntries(patch) }, ifMatch);
    await refetch(queries);
    return stored;
  };
  const text = { running: t("running"), disabled: t("disabled"), failed: t("failedState") }[state];
  const color = { running: "parley", disabled: "gray", failed: "red" }[state];
  return (
    <Card withBorder padding="sm" data-testid="plugin-card" data-plugin={id}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <PluginIcon plugin={plugin} />
          <Text fw={600}>{title}</Text>
          <Badge color={color} variant={state === "failed" ? "filled" : "light"}>
            {text}
          </Badge>
          {version && (
            <Text size="xs" c="dimmed">
              {version}
            </Text>
          )}
          <LogLevelBadge plugin={id} />
        </Group>
        {required ? (
          <Text
            size="sm"
            c="dimmed"
            style={{ whiteSpace: "nowrap" }}
            title={required_texts ? localize(required_texts) : undefined}
            data-testid="required"
          >
            {t("requiredByConsole")}
          </Text>
        ) : (
          <Switch
            checked={enabled}
            disabled={isBusy}
            onChange={enabled ? dialog.open : setEnabled(true)}
            aria-label={`${t("enabled")}: ${title}`}
          />
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {localize(plugin.about)}
      </Text>
      <SwitchOffDialog plugin={plugin} isOpen={isOpen} isBusy={isBusy} close={dialog.close} run={setEnabled(false)} />
      {failure && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {failure}
        </Alert>
      )}
      {findings.map((one) => (
        <FindingRow key={`${one.key} ${one.said.en}`} finding={one} isHere={one.page === "/plugins"} />
      ))}
      <Failure error={error} />
      <details className={textCss.folded}>
        <summary>{t("details")}</summary>
        <Stack gap={6} mt="xs">
          <Fact label={t("package")}>{[plugin.package, version].filter(Boolean).join(" ")}</Fact>
          {path && <Fact label={t("from")}>{path}</Fact>}
          {adds.length > 0 && <Fact label={t("adds")}>{describeAdditions(adds, t)}</Fact>}
          {required_texts && <Fact label={t("whyNeeded")}>{localize(required_texts)}</Fact>}
          {enabled && <LogLevelSelect plugin={id} />}
          <Group>
            {enabled && (
              <Button size="compact-sm" variant="light" onClick={reload} loading={isBusy} data-testid="reload-plugin">
                {t("reloadOne")}
              </Button>
            )}
            {plugin.add_again && (
              <Button size="compact-sm" variant="subtle" color="red" onClick={remove} data-testid="remove-plugin">
                {t("removeIt")}
              </Button>
            )}
          </Group>
          <SchemaForm schema={schema} record={plugin} read={() => plugins.get(id)} change={saveSettings} />
        </Stack>
      </details>
    </Card>
  );
}

interface SwitchOffDialogProps {
  readonly plugin: PluginStatus;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly close: () => void;
  readonly run: () => Promise<void>;
}

/** Confirms the deactivation, naming the functions that go with it. */
function SwitchOffDialog({ plugin: { title, adds }, isOpen, isBusy, close, run }: SwitchOffDialogProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  return (
    <Dialog opened={isOpen} onClose={close} title={`${t("switchOff")}: ${localize(title)}`}>
      <Text size="sm">{t("switchOffHint")}</Text>
      <Text size="sm" fw={600} my="xs" className={textCss.wrapped} data-testid="what-goes">
        {adds.length > 0 ? describeAdditions(adds, t) : t("switchOffNoFeatures")}
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

/** Lists what a plugin adds, with counts; extension points without a name of their own are "services". */
function describeAdditions(adds: readonly string[], t: Translate<KeyOf<typeof useTexts>>): string {
  const names = new Map<string, KeyOf<typeof useTexts>>(Object.entries(POINT_TEXTS));
  const counts = new Map<string, number>();
  for (const one of adds) {
    const [, point = one, count = "1"] = /^(\S+) × (\d+)$/.exec(one) ?? [];
    const name = t(names.get(point) ?? "addsServices");
    counts.set(name, (counts.get(name) ?? 0) + Number(count));
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`)).join(", ");
}

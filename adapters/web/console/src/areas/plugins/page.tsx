import { Group, Stack, Text, TextInput } from "@mantine/core";
import type { PluginStatus } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { matchWords } from "../../shared/match-words.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { type Finding, FindingRow, useFindings } from "../../shared/ui/feedback/finding.tsx";
import { useReload } from "../../shared/ui/feedback/reload.tsx";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { Page } from "../../shared/ui/page/page.tsx";
import { plugins } from "./api.ts";
import { PluginCard } from "./plugin-card.tsx";
import { RemovePlugin } from "./remove-plugin.tsx";
import { useTexts } from "./texts.ts";

const STATE_ORDER = { failed: 0, running: 1, disabled: 2 } as const;

export function PluginsPage() {
  const { t } = useTexts();
  const local = useLocalized();
  const { button, notice } = useReload();
  const list = useQuery({ queryKey: ["plugin"], queryFn: plugins.list });
  const findings = useFindings();
  const [removing, setRemoving] = useState<PluginStatus>();
  // Who comes from a line of the log looks for who wrote it.
  const written = useSearchText("plugin");
  const [sought, seek] = useState(written ?? "");
  return (
    <Page title={t("plugins")} hint={t("pluginsHint")} actions={button("reload-core")}>
      {notice}
      <Loaded query={list}>
        {({ items }) => {
          const visiblePlugins = items.filter(matchesSearch(sought));
          const notes = findings.data?.items ?? [];
          const about = (plugin: PluginStatus) => notes.filter(concernsPlugin(plugin));
          const others = notes
            .filter(({ page }) => page === "/plugins")
            .filter((one) => !items.some((plugin) => concernsPlugin(plugin)(one)));
          return (
            <Stack gap="xs">
              {others.map((one) => (
                <FindingRow key={`${one.key} ${one.said.en}`} finding={one} isHere />
              ))}
              <Group justify="space-between" gap="xs">
                <TextInput
                  type="search"
                  value={sought}
                  onChange={({ currentTarget }) => seek(currentTarget.value)}
                  placeholder={t("seekPlugins")}
                  aria-label={t("seekPlugins")}
                  leftSection={<Icon name="search" size={16} />}
                  style={{ flex: "1 1 14rem" }}
                  maw="30rem"
                  data-testid="seek-plugins"
                />
                <Text size="sm" c="dimmed" role="status" data-testid="plugin-count">
                  {t("runningOf", {
                    running: items.filter(({ state }) => state === "running").length,
                    all: items.length,
                  })}
                </Text>
              </Group>
              {visiblePlugins.length === 0 && (
                <Text size="sm" c="dimmed">
                  {t("noSuchPlugin")}
                </Text>
              )}
              {visiblePlugins
                .toSorted(
                  (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || local(a.title).localeCompare(local(b.title)),
                )
                .map((plugin) => (
                  <PluginCard
                    key={plugin.id}
                    plugin={plugin}
                    findings={about(plugin)}
                    remove={() => setRemoving(plugin)}
                  />
                ))}
            </Stack>
          );
        }}
      </Loaded>
      {/* Here, because its card goes with it. */}
      {removing && <RemovePlugin plugin={removing} close={() => setRemoving(undefined)} />}
    </Page>
  );
}

/** Returns a test for findings of this plugin: its own, or an update of its package. */
function concernsPlugin(plugin: PluginStatus) {
  return ({ key, parameters }: Finding) =>
    key.startsWith(`${plugin.id}.`) || (plugin.package !== "" && parameters?.package === plugin.package);
}

/** Returns a test for plugins that contain all words of the search, in either language. */
function matchesSearch(sought: string) {
  const isThere = matchWords(sought);
  return ({ id, package: name, title, about }: PluginStatus) =>
    isThere([id, name, title.en, title.zh, about.en, about.zh].join(" "));
}

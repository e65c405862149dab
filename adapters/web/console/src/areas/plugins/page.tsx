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
  const localize = useLocalized();
  const { renderButton, notice } = useReload();
  const list = useQuery({ queryKey: ["plugin"], queryFn: plugins.list });
  const findings = useFindings();
  const [pluginToRemove, setPluginToRemove] = useState<PluginStatus>();
  // A log line links here with the plugin that wrote it.
  const pluginParam = useSearchText("plugin");
  const [query, setQuery] = useState(pluginParam ?? "");
  return (
    <Page title={t("plugins")} hint={t("pluginsHint")} actions={renderButton("reload-core")}>
      {notice}
      <Loaded query={list}>
        {({ items }) => {
          const visiblePlugins = items.filter(createSearchFilter(query));
          const allFindings = findings.data?.items ?? [];
          const findFindings = (plugin: PluginStatus) => allFindings.filter(createFindingFilter(plugin));
          const otherFindings = allFindings
            .filter(({ page }) => page === "/plugins")
            .filter((one) => !items.some((plugin) => createFindingFilter(plugin)(one)));
          return (
            <Stack gap="xs">
              {otherFindings.map((one) => (
                <FindingRow key={`${one.key} ${one.said.en}`} finding={one} isHere />
              ))}
              <Group justify="space-between" gap="xs">
                <TextInput
                  type="search"
                  value={query}
                  onChange={({ currentTarget }) => setQuery(currentTarget.value)}
                  placeholder={t("searchPlugins")}
                  aria-label={t("searchPlugins")}
                  leftSection={<Icon name="search" size={16} />}
                  style={{ flex: "1 1 14rem" }}
                  maw="30rem"
                  data-testid="plugin-search"
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
                  {t("noPluginMatches")}
                </Text>
              )}
              {visiblePlugins
                .toSorted(
                  (a, b) =>
                    STATE_ORDER[a.state] - STATE_ORDER[b.state] || localize(a.title).localeCompare(localize(b.title)),
                )
                .map((plugin) => (
                  <PluginCard
                    key={plugin.id}
                    plugin={plugin}
                    findings={findFindings(plugin)}
                    remove={() => setPluginToRemove(plugin)}
                  />
                ))}
            </Stack>
          );
        }}
      </Loaded>
      {/* Outside the card, because the card disappears with the plugin. */}
      {pluginToRemove && <RemovePlugin plugin={pluginToRemove} close={() => setPluginToRemove(undefined)} />}
    </Page>
  );
}

/** Returns a predicate for findings about this plugin or an update of its package. */
function createFindingFilter(plugin: PluginStatus) {
  return ({ key, parameters }: Finding) =>
    key.startsWith(`${plugin.id}.`) || (plugin.package !== "" && parameters?.package === plugin.package);
}

/** Returns a predicate for plugins that contain all words of the query, in either language. */
function createSearchFilter(query: string) {
  const matchesQuery = matchWords(query);
  return ({ id, package: name, title, about }: PluginStatus) =>
    matchesQuery([id, name, title.en, title.zh, about.en, about.zh].join(" "));
}

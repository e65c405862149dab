import { type Check, joinLocalized, type Localized, type SettingDefinition, type Settings } from "@parley/core";
import { operationsTexts } from "../texts.ts";
import type { EditableSettings } from "./settings.ts";

export interface SettingsCheckDeps {
  readonly settings: Pick<Settings, "get"> & Pick<EditableSettings, "findInvalidValue">;
  readonly definitions: () => readonly SettingDefinition[];
}

export interface SettingsCheck extends Check {
  /** Records the current settings as those the plugins were started with. */
  markStarted(): void;
}

export function createSettingsCheck({ settings, definitions }: SettingsCheckDeps): SettingsCheck {
  let begun = new Map<string, string>();
  const listRestartSettings = () => definitions().filter(({ needsRestart }) => needsRestart);
  const toText = (row: SettingDefinition) => JSON.stringify(settings.get(row));
  return {
    id: "settings",
    markStarted() {
      begun = new Map(listRestartSettings().map((row) => [row.key, toText(row)]));
    },
    async run() {
      const waiting = listRestartSettings().filter((row) => begun.has(row.key) && begun.get(row.key) !== toText(row));
      const invalid = settings.findInvalidValue();
      return [
        ...(waiting.length > 0 ? [createRestartFinding(waiting)] : []),
        ...(invalid ? [createInvalidFinding(invalid)] : []),
      ];
    },
  };
}

function createInvalidFinding(reason: Localized) {
  return {
    key: "settings.invalid",
    level: "warning" as const,
    said: operationsTexts.localized("finding_setting", { reason }),
    advice: operationsTexts.localized("finding_setting_advice"),
    parameters: { reason: reason.en },
    page: "/settings",
  };
}

function createRestartFinding(waiting: readonly SettingDefinition[]) {
  return {
    key: "settings.restart",
    level: "warning" as const,
    said: operationsTexts.localized("finding_restart", {
      titles: joinLocalized(
        waiting.map(({ title }) => title),
        "words",
      ),
    }),
    advice: operationsTexts.localized("finding_restart_advice"),
    parameters: { settings: waiting.map(({ key }) => key).join(", ") },
    page: "/plugins",
  };
}

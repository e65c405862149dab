import type { Check, Localized, SettingDefinition, Settings } from "@parley/core";
import type { EditableSettings } from "./settings.ts";

export interface SettingsCheckDeps {
  readonly settings: Pick<Settings, "get"> & Pick<EditableSettings, "findInvalidValue">;
  readonly definitions: () => readonly SettingDefinition[];
}

export interface SettingsCheck extends Check {
  /** Records the current settings as those the plugins were started with. */
  markStarted(): void;
}

/** Checks that all settings have taken effect. */
export function createSettingsCheck({ settings, definitions }: SettingsCheckDeps): SettingsCheck {
  let begun = new Map<string, string>();
  const later = () => definitions().filter(({ needsRestart }) => needsRestart);
  const shown = (row: SettingDefinition) => JSON.stringify(settings.get(row));
  return {
    id: "settings",
    markStarted() {
      begun = new Map(later().map((row) => [row.key, shown(row)]));
    },
    async run() {
      const waiting = later().filter((row) => begun.has(row.key) && begun.get(row.key) !== shown(row));
      const invalid = settings.findInvalidValue();
      return [
        ...(waiting.length > 0 ? [createRestartFinding(waiting)] : []),
        ...(invalid ? [createInvalidFinding(invalid)] : []),
      ];
    },
  };
}

function createInvalidFinding({ en, zh }: Localized) {
  return {
    key: "settings.invalid",
    level: "warning" as const,
    said: { en: `settings.json: ${en}`, zh: `settings.json 中的 ${zh}` },
    advice: {
      en: "correct the value in the file: until then the default applies",
      zh: "请在文件中更正该值：在此之前采用默认值",
    },
    parameters: { reason: en },
    page: "/settings",
  };
}

function createRestartFinding(waiting: readonly SettingDefinition[]) {
  const named = (language: keyof Localized) => waiting.map(({ title }) => title[language]);
  return {
    key: "settings.restart",
    level: "warning" as const,
    said: {
      en: `changed, and in force only after a restart: ${named("en").join(", ")}`,
      zh: `已更改，重启后才会生效：${named("zh").join("、")}`,
    },
    advice: { en: "restart the service, or reload the plugins", zh: "请重启服务，或重新加载插件" },
    parameters: { settings: waiting.map(({ key }) => key).join(", ") },
    page: "/plugins",
  };
}

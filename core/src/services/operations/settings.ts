import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { SettingDefinition } from "../../points/console/setting-definition.ts";

/** Effective settings, by precedence: data/settings.json, environment, config.ini, defaults. */
export interface Settings {
  /** Returns the current value, always valid by the setting's schema. */
  get<Value>(setting: SettingDefinition<Value>): Value;
  /** Calls back with each new value, also after an edit by hand; returns the unsubscribe. */
  watch<Value>(setting: SettingDefinition<Value>, listener: (value: Value) => void): () => void;
}
export const Settings: ServiceKey<Settings> = serviceKey("settings");

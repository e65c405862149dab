import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { SettingDefinition } from "../../points/console/setting-definition.ts";

/** The settings in force: data/settings.json over environment over config.ini over defaults. */
export interface Settings {
  /** The value in force now; valid by the setting's schema, whatever the file says. */
  get<Value>(setting: SettingDefinition<Value>): Value;
  /** Calls back with each new value, also after an edit by hand; returns the unsubscribe. */
  watch<Value>(setting: SettingDefinition<Value>, listener: (value: Value) => void): () => void;
}
export const Settings: ServiceKey<Settings> = serviceKey("settings");

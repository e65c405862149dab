import { type ServiceKey, serviceKey } from "../extension-point.ts";

/** The settings in force (contract operations §7): data/settings.json over environment over defaults. */
export interface Settings {
  /** The value of a dotted key, e.g. `chat.turn_timeout_s`. Throws for a key that the table does not have. */
  get<T>(key: string): T;
  /** Calls back after a change took effect; returns the unsubscribe. */
  onChange(listener: () => void): () => void;
}
export const Settings: ServiceKey<Settings> = serviceKey("settings");

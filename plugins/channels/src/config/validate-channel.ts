import { type AppError, joinLocalized, type Transport, toSharedError, toValidationError } from "@parley/core";
import type { Links } from "../connections/links.ts";
import { channelsTexts } from "../texts.ts";
import { type ChannelPatch, checkConfig, DEFAULT_TRANSPORTS, type StoredChannel } from "./schema.ts";
import { findUnusedSettings, omitNulls, validateSettings } from "./settings.ts";

type SettingsInput = Readonly<Record<string, unknown>>;

/** Validates channels against the installed adapters; throws `bad_request` with the problem. */
export interface ChannelValidator {
  /** Checks a type. A name that is almost that of an installed type is an error; any other name is allowed. */
  checkType(type: string): void;
  checkTransport(type: string, transport: Transport): void;
  /** Returns settings with defaults, or throws for invalid ones; `given` are those of the request. A stored language that was removed becomes `auto`. */
  toValidSettings(type: string, config: SettingsInput, given: SettingsInput): StoredChannel["config"];
  /** Returns the settings of a channel after a change. */
  mergeSettings(old: StoredChannel, type: string, changed: ChannelPatch["config"]): StoredChannel["config"];
}

export function createChannelValidator(links: Pick<Links, "suggestType" | "findAdapter">): ChannelValidator {
  const settings: ChannelValidator["toValidSettings"] = (type, config, given) => {
    checkConfig(config);
    const adapter = links.findAdapter(type);
    const { value, problems } = validateSettings(adapter, type, config, { isStored: given.language === undefined });
    const all = [...findUnusedSettings(adapter, given), ...problems];
    if (all.length > 0) throw toValidationError(all, "config");
    return value;
  };
  return {
    toValidSettings: settings,
    checkType(type) {
      const suggestion = links.suggestType(type);
      if (suggestion !== undefined) throw toSharedError("bad_request", "channel_type_near", { type, near: suggestion });
    },
    checkTransport(type, transport) {
      const transports = links.findAdapter(type)?.transports ?? DEFAULT_TRANSPORTS;
      if (transports.includes(transport)) return;
      throw createTransportError(type, transports, "transport");
    },
    mergeSettings(old, type, changed) {
      const newSettings = links.findAdapter(type)?.newSettings?.(old.id) ?? {};
      // With another adapter, or when reset, a setting has the value of a new channel, which is never less strict.
      const currentSettings = type === old.type ? old.config : { ...newSettings, ...old.config };
      if (!changed) return currentSettings;
      const resetSettings = Object.fromEntries(Object.entries(newSettings).filter(([key]) => changed[key] === null));
      return settings(type, { ...resetSettings, ...omitNulls({ ...currentSettings, ...changed }) }, changed);
    },
  };
}

/** Creates the error for a transport that a channel's type does not have. */
export function createTransportError(type: string, transports: readonly string[], field?: string): AppError {
  const listed = joinLocalized(transports, "alternatives");
  const place = field === undefined ? {} : { field };
  return channelsTexts.error("bad_request", "transport", { type, transports: listed }, place);
}

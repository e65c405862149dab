import { explained, explainedAs, type Localized, refusalOf, type Transport } from "@parley/core";
import type { Links } from "./links.ts";
import { type ChannelPatch, checkConfig, type StoredChannel, TRANSPORTS } from "./records.ts";
import { checkedSettings, givenInVain, withoutNulls } from "./settings.ts";

type Given = Readonly<Record<string, unknown>>;

/** What somebody wants of a channel, held against the adapters that are there; throws `bad_request` with what is wrong. */
export interface Wanted {
  /** A name that is nearly one of an installed package's is a slip; any other is somebody's own. */
  checkType(type: string): void;
  checkTransport(type: string, transport: Transport): void;
  /** With defaults; `given`: what of it somebody asked for just now. */
  settings(type: string, config: Given, given: Given): StoredChannel["config"];
  /** A channel's settings after a change of them. */
  changed(old: StoredChannel, type: string, changed: ChannelPatch["config"]): StoredChannel["config"];
}

const TRANSPORT: Localized = {
  en: "channels of type '{type}' use {ways}",
  zh: "类型“{type}”的渠道只能使用 {either}",
};

export function createWanted(links: Pick<Links, "meant" | "adapterFor">): Wanted {
  const settings: Wanted["settings"] = (type, config, given) => {
    checkConfig(config);
    const adapter = links.adapterFor(type);
    const { value, problems } = checkedSettings(adapter, type, config);
    const all = [...givenInVain(adapter, given), ...problems];
    if (all.length > 0) throw refusalOf(all, "config");
    return value;
  };
  return {
    settings,
    checkType(type) {
      const near = links.meant(type);
      if (near !== undefined) throw explained("bad_request", "channel_type_near", { type, near });
    },
    checkTransport(type, transport) {
      const ways = links.adapterFor(type)?.transports ?? TRANSPORTS;
      if (ways.includes(transport)) return;
      throw explainedAs("bad_request", "channels.transport", TRANSPORT, {
        params: { type, ways: ways.join(" or "), either: ways.join(" 或 ") },
        field: "transport",
      });
    },
    changed(old, type, changed) {
      const fresh = links.adapterFor(type)?.newSettings?.(old.id) ?? {};
      // Another adapter, or a setting that is reset, begins like a new channel: never more open than one.
      const begun = type === old.type ? old.config : { ...fresh, ...old.config };
      if (!changed) return begun;
      const reset = Object.fromEntries(Object.entries(fresh).filter(([key]) => changed[key] === null));
      return settings(type, { ...reset, ...withoutNulls({ ...begun, ...changed }) }, changed);
    },
  };
}

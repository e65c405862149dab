import { CHANNEL_FEATURES, type ChannelAdapter, type ChannelFeature, type Localized } from "@parley/core";

/** Lists the installed channel types with their features, for people who compare them; sorted by type. */
export function listChannelTypes(adapters: readonly ChannelAdapter[]): readonly object[] {
  const sorted = adapters.toSorted((one, other) => one.type.localeCompare(other.type, "en"));
  return sorted.map(({ type, title = null, transports, idempotency, answersOnly, check, features, guide = [] }) => ({
    type,
    title,
    transports,
    idempotency,
    can_begin: answersOnly !== true,
    can_check: check !== undefined,
    guide,
    features: features === undefined ? null : listFeatures(new Set(features)),
  }));
}

function listFeatures(supported: ReadonlySet<ChannelFeature>) {
  const entries = Object.entries(CHANNEL_FEATURES) as [ChannelFeature, Localized][];
  return entries.map(([feature, title]) => ({ feature, title, supported: supported.has(feature) }));
}

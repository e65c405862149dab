import { type ChannelAdapter, findNearestWord } from "@parley/core";
import { BUILT_IN, PRESETS } from "../config/schema.ts";

/** Types of presets, installed or not, and `custom` for own ones. */
const KNOWN_TYPES = [...PRESETS.map(({ channel }) => channel.type), "custom"];
const MAX_SHORT_NAME = 3;

/** Types of channels, by the adapters that are installed. */
export interface ChannelTypes {
  listAdapters(): readonly ChannelAdapter[];
  /** Returns the adapter of a type; the generic adapter, if any, serves unregistered types without a family. */
  findAdapter(type: string): ChannelAdapter | undefined;
  /** Returns the known type that was probably meant by an unserved one; else undefined. */
  suggestType(type: string): string | undefined;
}

export function createChannelTypes(adapters: () => readonly ChannelAdapter[]): ChannelTypes {
  return {
    listAdapters: adapters,
    findAdapter: (type) => adapters().find((one) => one.type === type) ?? findFallback(type, adapters()),
    suggestType(type) {
      const known = [...adapters().map((one) => one.type), ...BUILT_IN.map((one) => one.type), ...KNOWN_TYPES];
      const suggestion = known.includes(type) ? undefined : findNearestWord(type, known);
      // Short names are all similar, so only a difference in case counts as a typing error.
      const isShort =
        suggestion !== undefined &&
        suggestion.length <= MAX_SHORT_NAME &&
        suggestion.toLowerCase() !== type.toLowerCase();
      return isShort ? undefined : suggestion;
    },
  };
}

/** Returns the generic adapter, except for a type of a family, such as `chat-sdk:slack`: its settings and signatures are the family's. */
function findFallback(type: string, adapters: readonly ChannelAdapter[]): ChannelAdapter | undefined {
  return type.includes(":") ? undefined : adapters.find((one) => one.type === "generic");
}

import { type ChannelAdapter, notFound } from "@parley/core";
import { BUILT_IN, type ChannelDraft, NO_CAPABILITIES, PRESETS, type Preset } from "./schema.ts";

/** Lists the presets of new channels and whether their adapter is installed; third-party adapters have one each. */
export function listPresets(
  adapters: readonly ChannelAdapter[],
  adapterFor: (type: string) => ChannelAdapter | undefined,
): readonly object[] {
  return collectPresets(adapters).map(({ channel, title = null, ...preset }) => ({
    ...preset,
    title,
    type: channel.type,
    transport: channel.transport,
    channel: { ...channel, enabled: true, capabilities: NO_CAPABILITIES },
    installed: adapterFor(channel.type)?.transports.includes(channel.transport) ?? false,
  }));
}

/** Creates a channel draft from a preset and the given values. */
export function toDraft(
  adapters: readonly ChannelAdapter[],
  presetId: string,
  input: Partial<ChannelDraft>,
): ChannelDraft {
  const preset = collectPresets(adapters).find((one) => one.id === presetId);
  if (!preset) throw notFound("preset", presetId);
  const { config, capabilities, ...rest } = input;
  return {
    ...preset.channel,
    description: preset.description,
    enabled: true,
    capabilities: { ...capabilities },
    ...rest,
    config: { ...preset.channel.config, ...config },
  };
}

function collectPresets(adapters: readonly ChannelAdapter[]): readonly Preset[] {
  const known = new Set([
    ...PRESETS.map(({ channel }) => channel.type),
    ...BUILT_IN.map(({ type }) => type),
    "generic",
  ]);
  return [...PRESETS, ...adapters.filter(({ type }) => !known.has(type)).map(toPreset)];
}

function toPreset({ type, title, transports: [transport = "webhook"] }: ChannelAdapter): Preset {
  const name = title?.en ?? type;
  return {
    id: type,
    name,
    ...(title && { title }),
    description: "",
    channel: { id: type, name, type, transport, config: {} },
  };
}

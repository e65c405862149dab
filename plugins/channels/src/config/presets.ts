import { type ChannelAdapter, notFound } from "@parley/core";
import { BUILT_IN, type ChannelDraft, NO_CAPABILITIES, PRESETS, type Preset } from "./schema.ts";

export interface PresetDeps {
  readonly adapters: readonly ChannelAdapter[];
  readonly adapterFor: (type: string) => ChannelAdapter | undefined;
  /** True when the service has a public address, so that platforms can reach it. */
  readonly isReachable: boolean;
}

/** Lists the presets of new channels and whether their adapter is installed; third-party adapters have one each. */
export function listPresets(deps: PresetDeps): readonly object[] {
  const { adapterFor } = deps;
  return collectPresets(deps).map(({ channel, title = null, unreachableTransport: _, ...preset }) => ({
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
  { isReachable, ...deps }: PresetDeps,
  presetId: string,
  input: Partial<ChannelDraft>,
): ChannelDraft {
  const hasAddress = isReachable || Boolean(input.config?.webhook_url);
  const preset = collectPresets({ ...deps, isReachable: hasAddress }).find((one) => one.id === presetId);
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

function collectPresets({ adapters, adapterFor, isReachable }: PresetDeps): readonly Preset[] {
  const known = new Set([
    ...PRESETS.map(({ channel }) => channel.type),
    ...BUILT_IN.map(({ type }) => type),
    "generic",
  ]);
  const own = PRESETS.map((preset) => {
    const { channel, unreachableTransport: transport } = preset;
    const isOffered = transport !== undefined && adapterFor(channel.type)?.transports.includes(transport);
    return isOffered && !isReachable ? { ...preset, channel: { ...channel, transport } } : preset;
  });
  return [...own, ...adapters.filter(({ type }) => !known.has(type)).map(toPreset)];
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

import { type ChannelAdapter, notFound } from "@parley/core";
import { BUILT_IN, type ChannelDraft, NO_CAPABILITIES, PRESETS, type Preset } from "./schema.ts";

export interface PresetDeps {
  readonly adapters: readonly ChannelAdapter[];
  readonly adapterFor: (type: string) => ChannelAdapter | undefined;
  /** True when the service has a public address, so that platforms can reach it. */
  readonly isReachable: boolean;
  /** Returns true when the environment has a value of this variable. */
  readonly hasVariable: (name: string) => boolean;
}

/** Lists the presets of new channels and whether their adapter is installed; third-party adapters have one each. */
export function listPresets(deps: PresetDeps): readonly object[] {
  const { adapterFor } = deps;
  return collectPresets(deps).map(({ channel, title = null, withoutWebhook: _, ...preset }) => ({
    ...preset,
    title,
    type: channel.type,
    transport: channel.transport,
    channel: { ...channel, enabled: true, capabilities: NO_CAPABILITIES },
    installed: adapterFor(channel.type)?.transports.includes(channel.transport) ?? false,
  }));
}

/** Creates a channel draft from a preset and the given values. */
export function toDraft(deps: PresetDeps, presetId: string, input: Partial<ChannelDraft>): ChannelDraft {
  const preset = collectPresets(deps, input).find((one) => one.id === presetId);
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

function collectPresets(deps: PresetDeps, input: Partial<ChannelDraft> = {}): readonly Preset[] {
  const { adapters } = deps;
  const known = new Set([
    ...PRESETS.map(({ channel }) => channel.type),
    ...BUILT_IN.map(({ type }) => type),
    "generic",
  ]);
  const own = PRESETS.map((preset) => chooseTransport(deps, preset, input));
  return [...own, ...adapters.filter(({ type }) => !known.has(type)).map(toPreset)];
}

/** Gives a preset its other transport where nothing is prepared for webhooks. */
function chooseTransport(
  { adapterFor, isReachable, hasVariable }: PresetDeps,
  preset: Preset,
  { config = {}, secrets = {} }: Partial<ChannelDraft>,
): Preset {
  const { channel, withoutWebhook } = preset;
  if (!withoutWebhook || isReachable || config.webhook_url) return preset;
  const { transport, secret } = withoutWebhook;
  const variable = String({ ...channel.config, ...config }[secret] ?? "");
  // No variable at all means that webhooks are accepted without a secret.
  const hasSecret = variable === "" || Boolean(secrets[variable]) || hasVariable(variable);
  const isOffered = adapterFor(channel.type)?.transports.includes(transport) ?? false;
  return isOffered && !hasSecret ? { ...preset, channel: { ...channel, transport } } : preset;
}

function toPreset({ type, title, transports: [transport = "webhook"] }: ChannelAdapter): Preset {
  const name = title?.en ?? type;
  return {
    id: type,
    name,
    ...(title && { title }),
    description: "",
    // A channel's id has no colon: `chat-sdk:slack` suggests `slack`.
    channel: { id: type.split(":").at(-1) ?? type, name, type, transport, config: {} },
  };
}

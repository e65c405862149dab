import { type ChannelAdapter, notFound } from "@parley/core";
import { type ChannelDraft, NO_CAPABILITIES, PRESETS } from "./records.ts";

/** The beginnings of channels, each with whether an adapter of its kind is there. */
export function presetsFor(adapterFor: (type: string) => ChannelAdapter | undefined): readonly object[] {
  return PRESETS.map(({ channel, ...preset }) => ({
    ...preset,
    type: channel.type,
    transport: channel.transport,
    channel: { ...channel, enabled: true, capabilities: NO_CAPABILITIES },
    installed: adapterFor(channel.type)?.transports.includes(channel.transport) ?? false,
  }));
}

/** A channel that begins like a preset, and has what was given besides. */
export function draftOf(presetId: string, given: Partial<ChannelDraft>): ChannelDraft {
  const preset = PRESETS.find((one) => one.id === presetId);
  if (!preset) throw notFound("preset", presetId);
  const { config, capabilities, ...rest } = given;
  return {
    ...preset.channel,
    description: preset.description,
    enabled: true,
    capabilities: { ...capabilities },
    ...rest,
    config: { ...preset.channel.config, ...config },
  };
}

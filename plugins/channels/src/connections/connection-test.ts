import {
  AppError,
  assertMaySpeak,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelStatus,
  type CheckedAccount,
  type Clock,
  DeliveryError,
  deliveryDetail,
  localizeMessage,
  newId,
  newTraceId,
  type Receipt,
  type SpeakOrder,
  toSharedError,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { TestMessage } from "../config/schema.ts";
import type { SecretsInput } from "../config/secret-variables.ts";
import type { ChannelSecrets } from "../store/channel-secrets.ts";
import { channelsTexts } from "../texts.ts";
import type { Links } from "./links.ts";

export interface ConnectionTestDeps {
  readonly links: Pick<Links, "link" | "status" | "findAdapter" | "fetch">;
  readonly secrets: Pick<ChannelSecrets, "get" | "check">;
  readonly clock: Clock;
}

/** Connection test for operators, with the platform's direct answer. */
export interface ConnectionTest {
  /** Sends a text directly by the link, bypassing the queue. */
  send(channel: ChannelConfig, test: TestMessage, order: SpeakOrder, signal: AbortSignal): Promise<Receipt>;
  /** Verifies the credentials with the platform; `given` secrets replace the stored ones. */
  check(channel: ChannelConfig, given: SecretsInput | undefined, signal: AbortSignal): Promise<CheckedAccount>;
}

export function createConnectionTest({ links, secrets, clock }: ConnectionTestDeps): ConnectionTest {
  return {
    async send(channel, { conversation_id, text, is_group }, order, signal) {
      const { id } = channel;
      assertMaySpeak({ channelId: id }, order);
      if (!channel.enabled) throw toSharedError("conflict", "channel_off", {});
      const link = links.link(id);
      if (!link) throw createNotConnectedError(links.status(channel));
      const message = {
        deliveryId: newId("dlv", clock.now()),
        traceId: newTraceId(clock.now()),
        channelId: id,
        sessionId: sessionIdOf(id, conversation_id),
        conversation: { id: conversation_id, isGroup: is_group },
        text,
        attachments: [],
        part: 1,
        parts: 1,
      };
      return rethrowPlatformError(async () => {
        await link.pace?.(message, signal);
        return link.send(message, signal);
      });
    },
    async check(channel, given, signal) {
      const check = findCheck(links.findAdapter(channel.type));
      if (!check) throw channelsTexts.error("conflict", "no_credentials", { type: channel.type });
      secrets.check(channel, given);
      const secret = (variable: string) =>
        given?.[variable] === undefined ? secrets.get(channel, variable) : (given[variable] ?? undefined);
      return rethrowPlatformError(() => check(channel, { secret, fetch: links.fetch }, signal));
    },
  };
}

function findCheck(adapter: ChannelAdapter | undefined): ChannelAdapter["check"] {
  return adapter?.check?.bind(adapter);
}

function createNotConnectedError({ last_error, last_error_detail, held_elsewhere: isRemote }: ChannelStatus): AppError {
  if (last_error !== null)
    return new AppError("unavailable", last_error, last_error_detail ? { detail: last_error_detail } : {});
  return isRemote
    ? channelsTexts.error("unavailable", "of_node")
    : toSharedError("unavailable", "channel_not_connected", {});
}

/** Rethrows a platform's rejection as `upstream_failed` with the platform's message. */
async function rethrowPlatformError<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!DeliveryError.is(error)) throw error;
    const { message, failure } = error;
    const detail = deliveryDetail(error);
    const reason = detail
      ? localizeMessage(message, detail)
      : channelsTexts.localized("platform_rejected", { reason: message });
    throw channelsTexts.error("upstream_failed", "platform", { reason, failure }, { cause: error });
  }
}

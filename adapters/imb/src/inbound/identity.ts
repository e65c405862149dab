import { AppError, type ChannelIo, DeliveryError } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import type { BotApi } from "../bot-api.ts";
import type { BotIdentity, Update } from "./update.ts";

/** Timeout within the 1.5 s of a webhook; the rest is for storing the message. */
const WAIT_MS = 1_000;
const RETRY_MS = 60_000;
const RETRY_AFTER_S = 5;

export interface IdentityDeps {
  readonly api: BotApi;
  readonly io: ChannelIo;
  readonly token: () => string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Creates the lookup of the bot's identity for an update; fetched once per token. For a minute after the platform rejected
 * the request it is undefined. When the platform does not answer within a second, it is undefined for an update of a
 * private chat; for one of a group `unavailable` is thrown, so that the platform retries and no mention is missed.
 */
export function createIdentityLookup({ api, io, token, signal }: IdentityDeps) {
  let known: { readonly token: string | undefined; readonly me: Promise<BotIdentity | undefined> } | undefined;
  const ask = () => {
    const now = token();
    if (known && known.token === now) return known.me;
    const forget = () => {
      if (known?.me === me) known = undefined;
    };
    const me = api.call<BotIdentity>("getMe", {}, signal).catch((error: unknown) => {
      if (!DeliveryError.is(error) || (error.failure !== "auth" && error.failure !== "permanent")) {
        forget();
        throw error;
      }
      io.log.warn("the platform does not say who the bot is; in groups only replies and commands reach it", { error });
      setTimeout(forget, RETRY_MS).unref();
      return undefined;
    });
    known = { token: now, me };
    return me;
  };
  return async (update: Update): Promise<BotIdentity | undefined> => {
    const found = await resolveWithin(
      ask().then((me) => ({ me })),
      WAIT_MS,
    ).catch((error: unknown) => {
      io.log.debug("the platform did not say who the bot is", { error });
      return undefined;
    });
    if (found) return found.me;
    if (!isGroupUpdate(update)) return undefined;
    throw new AppError("unavailable", "the platform does not say who the bot is", { retryAfterS: RETRY_AFTER_S });
  };
}

/** True for an update from a group; in a private chat every message addresses the bot. */
function isGroupUpdate({ message, edited_message }: Update): boolean {
  const chat = (message ?? edited_message)?.chat;
  return chat !== undefined && chat.type !== "private";
}

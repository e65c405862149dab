import { AppError } from "@parley/core";
import { parseJsonBytes } from "@parley/core/http";
import type { BotMessage, Update } from "./update.ts";

/** Updates that the bot asks for, by webhook and by polling. */
export const ALLOWED_UPDATES: readonly string[] = ["message", "edited_message", "callback_query"];

/** Parses the body of a webhook; throws `bad_request` when it is not an update. */
export function parseUpdate(body: Uint8Array): Update {
  let parsed: unknown;
  try {
    parsed = parseJsonBytes(body);
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
  if (!isUpdate(parsed)) throw new AppError("bad_request", "the body is not an update");
  return checkUpdate(parsed);
}

/** True for an object with the id of an update. */
export function isUpdate(value: unknown): value is Update {
  return typeof value === "object" && value !== null && Number.isInteger((value as Partial<Update>).update_id);
}

/** Throws `bad_request` when the message of an update lacks a field on which all others depend. */
export function checkUpdate(update: Update): Update {
  const botMessage = getMessage(update);
  if (botMessage !== undefined && !isCompleteMessage(botMessage))
    throw new AppError("bad_request", "the message has no valid message, chat or sender id");
  return update;
}

/** Returns the message that an update is about; undefined for other updates. */
export function getMessage({ message, edited_message, callback_query }: Update): BotMessage | undefined {
  return message ?? edited_message ?? callback_query?.message;
}

function isCompleteMessage({ message_id, chat, from }: Partial<BotMessage>): boolean {
  const isKnown = Number.isSafeInteger(chat?.id) && typeof chat?.type === "string";
  return isKnown && Number.isSafeInteger(message_id) && (from === undefined || Number.isSafeInteger(from.id));
}

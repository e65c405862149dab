import { ParleyError } from "@parley/client";
import { toJsonObject } from "../../../shared/json-object.ts";

/** Limits of one import request, in conversations and in characters of JSON; progress is shown between requests. */
const MAX_SESSIONS = 50;
const MAX_CHARACTERS = 15_000_000;

/** Conversations of a file. */
export interface SessionExport {
  readonly sessions: readonly unknown[];
  readonly version?: unknown;
  readonly type?: unknown;
}

/** Parses an export file; undefined where it is not one: the service's error describes that best. */
export function parseExport(text: string): SessionExport | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const { sessions, session, version, type } = toJsonObject(parsed);
    if (Array.isArray(sessions) && sessions.length > 0) return { sessions, version, type };
    return session === undefined ? undefined : { sessions: [session], version, type };
  } catch {
    return undefined;
  }
}

/** Returns the original id of an exported conversation. */
export function toSourceId(session: unknown): string | undefined {
  const { id } = toJsonObject(session);
  return typeof id === "string" ? id : undefined;
}

/** Splits an export into requests within the limits. */
export function splitIntoChunks({ sessions, version, type }: SessionExport): readonly string[] {
  const parts: string[][] = [];
  let room = 0;
  for (const session of sessions) {
    const one = JSON.stringify(session);
    const last = parts.at(-1);
    if (!last || last.length === MAX_SESSIONS || one.length > room) {
      parts.push([one]);
      room = MAX_CHARACTERS - one.length;
    } else {
      last.push(one);
      room -= one.length;
    }
  }
  const named = Object.entries({ version, type })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
    .join("");
  return parts.map((some) => `{${named}"sessions":[${some.join()}]}`);
}

/** Returns the result of a part whose conversations were all rejected; throws any other error. */
export function toRejectedChunk(part: string | File, error: unknown) {
  if (!(error instanceof ParleyError) || error.code !== "bad_request" || typeof part !== "string") throw error;
  const { message } = error;
  const failed: number = JSON.parse(part).sessions.length;
  return { imported: 0, failed, items: [], errors: [{ index: 0, error: message }], filtered_messages: 0 };
}

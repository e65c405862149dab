import { ParleyError } from "@parley/client";
import { parseJson } from "../../../shared/forms/json-text.ts";
import { toJsonObject } from "../../../shared/json-object.ts";

/** Limits of one import request, in conversations and in characters of JSON. */
const MAX_SESSIONS = 50;
const MAX_CHARACTERS = 15_000_000;

/** The conversations of an export file. */
export interface SessionExport {
  readonly sessions: readonly unknown[];
  readonly version?: unknown;
  readonly type?: unknown;
}

/** Parses an export file; undefined for any other file, which the caller sends unchanged so that the service explains the error. */
export function parseExport(text: string): SessionExport | undefined {
  const { sessions, session, version, type } = toJsonObject(parseJson(text)?.value);
  if (Array.isArray(sessions) && sessions.length > 0) return { sessions, version, type };
  return session === undefined ? undefined : { sessions: [session], version, type };
}

/** Returns the original id of an exported conversation. */
export function toSourceId(session: unknown): string | undefined {
  const { id } = toJsonObject(session);
  return typeof id === "string" ? id : undefined;
}

/** Splits an export into requests within the limits. */
export function splitIntoChunks({ sessions, version, type }: SessionExport): readonly string[] {
  const chunks: string[][] = [];
  let remainingCharacters = 0;
  for (const session of sessions) {
    const text = JSON.stringify(session);
    const last = chunks.at(-1);
    if (!last || last.length === MAX_SESSIONS || text.length > remainingCharacters) {
      chunks.push([text]);
      remainingCharacters = MAX_CHARACTERS - text.length;
    } else {
      last.push(text);
      remainingCharacters -= text.length;
    }
  }
  const fields = Object.entries({ version, type })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
    .join("");
  return chunks.map((sessionTexts) => `{${fields}"sessions":[${sessionTexts.join()}]}`);
}

/** Converts the error of a chunk whose conversations were all rejected to an import result; throws any other error. */
export function toRejectedResult(chunk: string | File, error: unknown) {
  if (!(error instanceof ParleyError) || error.code !== "bad_request" || typeof chunk !== "string") throw error;
  const { message } = error;
  const failed: number = JSON.parse(chunk).sessions.length;
  return { imported: 0, failed, items: [], errors: [{ index: 0, error: message }], filtered_messages: 0 };
}

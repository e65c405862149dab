/** So many conversations go in one request, and so many characters of JSON: what is in is told between them. */
const MOST_SESSIONS = 50;
const MOST_CHARACTERS = 15_000_000;

/** Conversations of a file. */
export interface Package {
  readonly sessions: readonly unknown[];
  readonly version?: unknown;
}

/** What a file holds, if that can be read; else the service says best what is wrong with it. */
export function packageIn(text: string): Package | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const { sessions, session, version } = Object(found) as Partial<Package> & { readonly session?: unknown };
    if (Array.isArray(sessions) && sessions.length > 0) return { sessions, version };
    return session === undefined ? undefined : { sessions: [session], version };
  } catch {
    return undefined;
  }
}

/** The id of a conversation where it was taken out. */
export function sourceOf(session: unknown): string | undefined {
  const { id } = Object(session) as { readonly id?: unknown };
  return typeof id === "string" ? id : undefined;
}

/** Cut into parts that the service takes. */
export function importParts({ sessions, version }: Package): readonly string[] {
  const parts: string[][] = [];
  let room = 0;
  for (const session of sessions) {
    const one = JSON.stringify(session);
    const last = parts.at(-1);
    if (!last || last.length === MOST_SESSIONS || one.length > room) {
      parts.push([one]);
      room = MOST_CHARACTERS - one.length;
    } else {
      last.push(one);
      room -= one.length;
    }
  }
  const named = version === undefined ? "" : `"version":${JSON.stringify(version)},`;
  return parts.map((some) => `{${named}"sessions":[${some.join()}]}`);
}

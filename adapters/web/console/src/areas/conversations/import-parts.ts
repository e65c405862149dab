/** What the service takes in one go (contract of sessions, §7): so many conversations, and 50 MiB of JSON. */
const MOST_SESSIONS = 500;
const MOST_CHARACTERS = 15_000_000;

/**
 * The contents of a file with more conversations than the service takes in one go, cut into parts that it takes.
 * Undefined: it goes as it is, and the service says what is wrong where something is.
 */
export function importParts(text: string): readonly string[] | undefined {
  const whole = packageIn(text);
  if (!whole || (whole.sessions.length <= MOST_SESSIONS && text.length <= MOST_CHARACTERS)) return undefined;
  const parts: string[][] = [];
  let room = 0;
  for (const session of whole.sessions) {
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
  const version = whole.version === undefined ? "" : `"version":${JSON.stringify(whole.version)},`;
  return parts.map((some) => `{${version}"sessions":[${some.join()}]}`);
}

interface Package {
  readonly sessions: readonly unknown[];
  readonly version?: unknown;
}

function packageIn(text: string): Package | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return found && Array.isArray((found as Partial<Package>).sessions) ? (found as Package) : undefined;
  } catch {
    // No JSON: what is wrong with it the service says best.
    return undefined;
  }
}

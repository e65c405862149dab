import type { PersonData } from "@parley/core";
import type { SpokenLine } from "./spoken-line.ts";

const MAX_LINES = 60;
const MAX_GROUPS = 2_000;
const MAX_AGE_MS = 6 * 3_600_000;

/** A line in memory, with what finds it again. */
export interface RememberedLine extends SpokenLine {
  readonly channelId: string;
  readonly platformMessageId: string | undefined;
  /** False for a line that is in no stored conversation. */
  readonly isStored: boolean;
}

type PersonAddress = PersonData["addresses"][number];

/** Memory of what people wrote in groups lately, in this process only. */
export interface RecentTalk {
  add(sessionId: string, line: RememberedLine): void;
  /** Returns the lines of a group up to a moment, oldest first. */
  list(sessionId: string, atMs: number): readonly RememberedLine[];
  /** Removes a message that was withdrawn or changed on the platform. */
  remove(sessionId: string, platformMessageId: string): void;
  /** Removes all lines of a group. */
  forgetGroup(sessionId: string): void;
  /** Removes the lines of a person in all groups, and returns how many there were. */
  forgetPerson(addresses: readonly PersonAddress[]): number;
}

/** Creates the memory of recent talk: the newest lines of the groups that spoke last. */
export function createRecentTalk(): RecentTalk {
  const linesBySession = new Map<string, RememberedLine[]>();
  const read = (sessionId: string) => linesBySession.get(sessionId) ?? [];
  const store = (sessionId: string, lines: RememberedLine[]) => {
    // The group moves to the end, so that the longest silent one is the first.
    linesBySession.delete(sessionId);
    linesBySession.set(sessionId, lines);
    const [oldest] = linesBySession.keys();
    if (linesBySession.size > MAX_GROUPS && oldest !== undefined) linesBySession.delete(oldest);
  };
  return {
    add: (sessionId, line) => store(sessionId, [...read(sessionId).slice(1 - MAX_LINES), line]),
    list: (sessionId, atMs) => read(sessionId).filter((line) => Math.abs(atMs - line.atMs) < MAX_AGE_MS),
    remove: (sessionId, id) =>
      store(
        sessionId,
        read(sessionId).filter(({ platformMessageId }) => platformMessageId !== id),
      ),
    forgetGroup: (sessionId) => void linesBySession.delete(sessionId),
    forgetPerson(addresses) {
      let removed = 0;
      for (const [sessionId, lines] of linesBySession) {
        const others = lines.filter((line) => !addresses.some((address) => isWrittenBy(line, address)));
        removed += lines.length - others.length;
        linesBySession.set(sessionId, others);
      }
      return removed;
    },
  };
}

function isWrittenBy({ channelId, senderId }: RememberedLine, address: PersonAddress): boolean {
  return channelId === address.channelId && senderId === address.userId;
}

const WINDOW_MS = 60_000;
const SILENCE_MS = 60_000;
const MAX_MESSAGES = 20;
const MAX_GROUPS = 2_000;

interface GroupCount {
  readonly times: readonly number[];
  readonly silentFromMs: number | undefined;
}

/** Keeps bots from answering each other for ever: so many messages of bots in a group a minute, then a minute of silence. */
export interface LoopBudget {
  /** Counts a message of another bot or an answer of this one. */
  count(sessionId: string, atMs: number): void;
  /** Returns true while the bot must be silent in the group. */
  isSpent(sessionId: string, atMs: number): boolean;
}

/** Creates the budget; times are of a clock that never jumps. */
export function createLoopBudget(): LoopBudget {
  const counts = new Map<string, GroupCount>();
  return {
    count(sessionId, atMs) {
      const { times = [], silentFromMs } = counts.get(sessionId) ?? {};
      const recent = [...times.filter((time) => atMs - time < WINDOW_MS), atMs];
      const isOver = recent.length >= MAX_MESSAGES;
      counts.delete(sessionId);
      counts.set(sessionId, isOver ? { times: [], silentFromMs: atMs } : { times: recent, silentFromMs });
      const [oldest] = counts.keys();
      if (counts.size > MAX_GROUPS && oldest !== undefined) counts.delete(oldest);
    },
    isSpent(sessionId, atMs) {
      const { silentFromMs } = counts.get(sessionId) ?? {};
      return silentFromMs !== undefined && atMs - silentFromMs < SILENCE_MS;
    },
  };
}

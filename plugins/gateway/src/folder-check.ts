import type { FolderCheck } from "@parley/core";

interface Count {
  readonly count: number;
  readonly first_ms?: number;
}

/** Messages and answers of a folder in which nothing runs: what waits, and what nobody has looked at. */
export const GATEWAY_CHECK: FolderCheck = {
  id: "messages",
  tables: ["inbox", "outbox"],
  examine(read) {
    const count = (text: string) => read<Count>(text)[0] ?? { count: 0 };
    const waiting = count(
      "select count(*) as count, min(received_ms) as first_ms from inbox where state in ('waiting', 'running')",
    );
    const unsent = count(
      "select count(*) as count, min(created_ms) as first_ms from outbox where state in ('pending', 'sending', 'failed', 'unknown_after_send')",
    );
    const dead = ["inbox", "outbox"].reduce(
      (sum, table) =>
        sum + count(`select count(*) as count from ${table} where state = 'dead' and reviewed_ms is null`).count,
      0,
    );
    if (waiting.count + unsent.count + dead === 0) return { level: "ok", said: "none waits, none was given up" };
    const since = (one: Count) =>
      one.count > 0 ? `, the first since ${new Date(one.first_ms ?? 0).toISOString()}` : "";
    return {
      level: "warning",
      said: `${waiting.count} wait for their turn${since(waiting)}; ${unsent.count} answers are not delivered${since(unsent)}; ${dead} were given up and not looked at`,
      advice: "start the service: what waits goes on then; console → Gateway shows what was given up, and why",
    };
  },
};

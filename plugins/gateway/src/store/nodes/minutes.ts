import type { Write } from "@parley/core";
import type { MinuteCounts } from "../../observe/metrics/minute-metrics.ts";
import { createStatement, getTables, type StoreDeps } from "../statement.ts";

/** Stores per-minute counts of processes that run at the same time or one after another. */
export interface MinuteStore {
  /** Stores the counts of this process, and deletes all counts before the minute `first`. */
  put(minutes: readonly MinuteCounts[], first: number): Promise<void>;
  /** Returns the counts of other processes from the minute `first` on, including processes that have ended. */
  listRemote(first: number): Promise<readonly MinuteCounts[]>;
}

const PUT = `insert into gateway_minutes (minute, node_id, messages_in, answers_out, given_up, acks, turns)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (minute, node_id) do update set messages_in = excluded.messages_in,
  answers_out = excluded.answers_out, given_up = excluded.given_up, acks = excluded.acks, turns = excluded.turns`;

export function createMinuteStore({ main, node }: Pick<StoreDeps, "main"> & { node: () => string }): MinuteStore {
  return {
    async put(minutes, first) {
      const put = ({ minute, messages_in, answers_out, given_up, acks, turns }: MinuteCounts): Write =>
        createStatement(PUT, [minute, node(), messages_in, answers_out, given_up, acks, turns]);
      await main().write([
        ...minutes.map(put),
        createStatement("delete from gateway_minutes where minute < ?", [first]),
      ]);
    },
    listRemote: (first) =>
      getTables(main)
        .selectFrom("gateway_minutes")
        .selectAll()
        .where("minute", ">=", first)
        .where("node_id", "<>", node())
        .execute(),
  };
}

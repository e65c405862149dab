import { type Database, erasePersonRows, type InboundMessage, type RecordPart, senderAddress } from "@parley/core";
import type { HistoryTables, MainTables } from "../tables.ts";

const PAGE = 500;
/** Tables of the history, which are in a separate database or in the main one. */
const HISTORY = ["gateway_logs", "turn_record"];

export interface PersonPartDeps {
  readonly main: () => Database;
  /** Returns the history database; undefined when no history is stored. */
  readonly history: () => Database | undefined;
  /** Stops the running and waiting messages of a conversation. */
  abandon(sessionId: string): Promise<void>;
  /** Writes buffered entries of the event log. */
  flush(): Promise<void>;
}

/** Erases a person's messages and the deliveries to that person, with their log entries and recordings. */
export function createPersonPart({ main, history, abandon, flush }: PersonPartDeps): RecordPart {
  return {
    id: "gateway.of-person",
    of: "person",
    tables: [
      { table: "inbox", with: [{ table: "dedupe", column: "inbox_id" }] },
      { table: "turn_record", isInternal: true },
      { table: "gateway_nodes", isKept: true },
      { table: "gateway_homes", isKept: true },
      { table: "gateway_minutes", isKept: true },
    ],
    async findTraces({ addresses }) {
      await flush();
      const found: string[] = [];
      for (const { address, channelId, userId } of addresses) {
        found.push(
          ...(await findReceivedTraces(main(), channelId, address)),
          ...(await findLoggedTraces(history(), channelId, userId)),
        );
      }
      return found;
    },
    async erase(person) {
      for (const id of person.sessions) await abandon(id);
      await flush();
      const database = history();
      if (!database) return 0;
      const counts = await erasePersonRows(
        { database, tables: [], isDerived: (table) => !HISTORY.includes(table) },
        person,
      );
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async collect({ traces }) {
      const database = history();
      const logs = database ? await listLogs(database, traces) : [];
      return [{ name: "traces.json", bytes: Buffer.from(`${JSON.stringify(logs, null, 2)}\n`) }];
    },
  };
}

async function listLogs(database: Database, traces: readonly string[]): Promise<readonly object[]> {
  const found: object[] = [];
  const logs = database.tables<HistoryTables>().selectFrom("gateway_logs").selectAll();
  for (let at = 0; at < traces.length; at += PAGE) {
    found.push(
      ...(await logs
        .where("trace_id", "in", traces.slice(at, at + PAGE))
        .orderBy("id")
        .execute()),
    );
  }
  return found;
}

/** Finds traces of messages that may not be in a conversation: blocked, ignored or dead-lettered ones. */
async function findReceivedTraces(main: Database, channelId: string, address: string): Promise<readonly string[]> {
  const found: string[] = [];
  const inbox = main.tables<MainTables>().selectFrom("inbox").select(["id", "trace_id", "message"]);
  for (let after = ""; ; ) {
    const page = inbox.where("channel_id", "=", channelId).where("id", ">", after).orderBy("id").limit(PAGE);
    const rows = await page.execute();
    const sent = rows.filter(({ message }) => senderAddress(JSON.parse(message) as InboundMessage) === address);
    found.push(...sent.map(({ trace_id }) => trace_id));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return found;
    after = last.id;
  }
}

async function findLoggedTraces(
  history: Database | undefined,
  channelId: string,
  userId: string,
): Promise<readonly string[]> {
  if (!history) return [];
  const rows = await history
    .tables<HistoryTables>()
    .selectFrom("gateway_logs")
    .select("trace_id")
    .distinct()
    .where("user_id", "=", userId)
    .where("channel_id", "=", channelId)
    .execute();
  return rows.map(({ trace_id }) => trace_id);
}

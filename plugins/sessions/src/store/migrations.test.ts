import { memoryDatabase } from "@parley/testing";
import { expect, test } from "vitest";
import { SESSION_MIGRATIONS } from "./migrations.ts";
import { fromMessageRow, fromSessionRow, newMessage, newSession, toMessageRow, toSessionRow } from "./rows.ts";
import type { SessionTables } from "./tables.ts";

const AT = "2026-01-02T03:04:05.000Z";

/** Removes the fields of later versions. */
const before = ({ folder: _folder, is_temporary: _temporary, ...row }: ReturnType<typeof toSessionRow>) => row;

/** A database of the version that stored the last message as one JSON text, and the sender among the other fields. */
async function earlier() {
  const database = memoryDatabase();
  await database.migrate("sessions", SESSION_MIGRATIONS.slice(0, 3));
  const tables = database.tables<Record<string, object>>();
  const add = async (table: string, row: object) => void (await tables.insertInto(table).values(row).execute());
  return {
    database,
    addSession: (id: string, last: object | null) =>
      add("sessions", {
        ...before(toSessionRow(newSession(id, AT, {}))),
        last_message: last && JSON.stringify(last),
        last_message_at: last && AT,
      }),
    addMessage(id: string, session_id: string, seq: number, sender: string, place: "live" | "archive" = "live") {
      const message = newMessage({ id, session_id, seq, sender, content: `${"😀".repeat(120)} ${id}`, timestamp: AT });
      const { sender: _sender, fields, ...row } = toMessageRow(message, place);
      return add("messages", { ...row, fields: JSON.stringify({ ...JSON.parse(fields), sender }) });
    },
  };
}

test("the last message of every session is shown as before, and no sender is lost", async () => {
  const { database, addSession, addMessage } = await earlier();
  await addSession("said", { id: "m-3", role: "user", sender: "Eve", preview: "…", timestamp: AT });
  await addSession("silent", null);
  await addMessage("m-1", "said", 10, "");
  await addMessage("m-2", "said", 20, "Adam");
  await addMessage("m-3", "said", 30, "Eve");
  await addMessage("m-4", "said", 40, "Eve", "archive");
  await database.migrate("sessions", SESSION_MIGRATIONS);
  const tables = database.tables<SessionTables>();
  const sessions = await tables.selectFrom("sessions").selectAll().orderBy("id").execute();
  expect(sessions.map((row) => fromSessionRow(row, false, 0).last_message)).toEqual([
    { id: "m-3", role: "user", sender: "Eve", preview: "😀".repeat(100), timestamp: AT },
    null,
  ]);
  const messages = await tables.selectFrom("messages").selectAll().orderBy("id").execute();
  expect(messages.map((row) => [row.sender, fromMessageRow(row).sender])).toEqual([
    ["", ""],
    ["Adam", "Adam"],
    ["Eve", "Eve"],
    ["Eve", "Eve"],
  ]);
});

test("senders are found page by page", async () => {
  const { database, addSession, addMessage } = await earlier();
  await addSession("long", null);
  for (let count = 0; count < 1_001; count += 1) {
    await addMessage(`m-${String(count).padStart(4, "0")}`, "long", count, `sender ${count % 3}`);
  }
  await database.migrate("sessions", SESSION_MIGRATIONS);
  const rows = await database.tables<SessionTables>().selectFrom("messages").select(["seq", "sender"]).execute();
  expect(rows.filter(({ seq, sender }) => sender !== `sender ${seq % 3}`)).toEqual([]);
});

import { type Database, fixedStatement, type Write } from "@parley/core";

const BATCH_TRACES = 100;
const SELECT_TRACES =
  "select trace_id from inbox where session_id = ? union select trace_id from outbox where session_id = ?";
const DELETE_OF_TRACE = ["delete from turn_draft where trace_id = ?", "delete from tool_ledger where trace_id = ?"];
const DELETE_OF_SESSION = [
  "delete from dedupe where inbox_id in (select id from inbox where session_id = ?)",
  "delete from gateway_elements where session_id = ?",
  "delete from outbox where session_id = ?",
  "delete from inbox where session_id = ?",
];
const DELETE_HISTORY_OF_TRACE = [
  "delete from gateway_logs where trace_id = ?",
  "delete from turn_record where trace_id = ?",
];

/**
 * Deletes all rows about a session's turns: messages, deliveries, recordings and logs. The history is deleted first: if
 * that fails, everything else is still there and the erasure can be retried.
 */
export async function eraseSession(
  { main, history }: { readonly main: Database; readonly history: Database | undefined },
  sessionId: string,
): Promise<void> {
  const found = await main.lookup<{ trace_id: string }>(fixedStatement(SELECT_TRACES, [sessionId, sessionId]));
  const traces = found.map(({ trace_id }) => trace_id);
  const each = (texts: readonly string[], ids: readonly string[]): readonly Write[] =>
    ids.flatMap((id) => texts.map((text) => ({ query: fixedStatement(text, [id]) })));
  for (let at = 0; at < traces.length; at += BATCH_TRACES) {
    const batch = traces.slice(at, at + BATCH_TRACES);
    await history?.write(each(DELETE_HISTORY_OF_TRACE, batch));
    await main.write(each(DELETE_OF_TRACE, batch));
  }
  await main.write(each(DELETE_OF_SESSION, [sessionId]));
}

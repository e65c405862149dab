import { AppError, type PersonData, type Write } from "@parley/core";
import { createBranches } from "../branches.ts";
import { type SessionParts, tellRemoved, turnsOf } from "../parts.ts";
import type { SessionRows } from "../session-rows.ts";
import type { SessionTables } from "../tables.ts";

export interface HistoryCounts {
  readonly conversations: number;
  readonly messages: number;
}

/** Deletes the person's own conversations whole, and of those with others what the person said and was answered. */
export async function eraseHistory(
  parts: SessionParts,
  rows: Pick<SessionRows, "remove">,
  { sessions, sharedSessions, messages }: PersonData,
): Promise<HistoryCounts> {
  let conversations = 0;
  for (const id of sessions) {
    if (!(await parts.sessions.find(id))) continue;
    await rows.remove(id).catch(unlessGone);
    conversations += 1;
  }
  let removed = 0;
  const theirs = new Set(messages);
  for (const id of sharedSessions) removed += await eraseMessages(parts, id, theirs);
  return { conversations, messages: removed };
}

async function eraseMessages(parts: SessionParts, sessionId: string, theirs: ReadonlySet<string>): Promise<number> {
  const { database, messages } = parts;
  const tables = database().tables<SessionTables>();
  const all = await tables.selectFrom("messages").select("id").where("session_id", "=", sessionId).execute();
  const ids = all.map(({ id }) => id).filter((id) => theirs.has(id));
  if (ids.length > 0) {
    const found = await messages.byIds(ids);
    await forgetName(parts, sessionId, new Set(found.map(({ sender }) => sender)));
    const branches = createBranches(parts);
    const closed: Write[] = [];
    for (const message of found) closed.push(...(await branches.closingUp(message)));
    const undone = await parts.belongings.withoutMessages(sessionId, turnsOf(found));
    const favorites = await withoutFavorites(parts, sessionId, theirs);
    await database().write([
      ...closed,
      ...messages.remove(ids),
      ...messages.recount(sessionId),
      ...favorites,
      ...undone,
    ]);
    tellRemoved(parts, sessionId, ids, "deleted");
  }
  return ids.length;
}

/** A conversation without a title is called after whoever wrote first. */
async function forgetName({ sessions }: SessionParts, id: string, names: ReadonlySet<string>): Promise<void> {
  const session = await sessions.find(id);
  if (!session || session.name === "" || !names.has(session.name)) return;
  await sessions.change(id, ({ conversation_id }) => ({ name: conversation_id ?? id }));
}

/** Collections of copies: what is not theirs stays in them. */
async function withoutFavorites({ database }: SessionParts, sessionId: string, theirs: ReadonlySet<string>) {
  const tables = database().tables<SessionTables>();
  const rows = await tables
    .selectFrom("message_favorites")
    .select(["id", "messages"])
    .where("session_id", "=", sessionId)
    .execute();
  return rows.map(({ id, messages }): Write => {
    const left = (JSON.parse(messages) as readonly { readonly id: string }[]).filter((one) => !theirs.has(one.id));
    if (left.length === 0) return { query: tables.deleteFrom("message_favorites").where("id", "=", id) };
    const query = tables
      .updateTable("message_favorites")
      .set({ messages: JSON.stringify(left) })
      .where("id", "=", id);
    return { query };
  });
}

function unlessGone(error: unknown): void {
  if (!AppError.is(error) || error.code !== "not_found") throw error;
}

import { AppError, type PersonData, type Write } from "@parley/core";
import type { SessionService } from "../conversations/session-service.ts";
import { createBranches } from "../messages/branches.ts";
import { listTurnMessageIds, publishMessagesRemoved, type SessionDeps } from "../session-deps.ts";
import type { SessionTables } from "../store/tables.ts";

export interface HistoryCounts {
  readonly conversations: number;
  readonly messages: number;
}

/** Deletes the person's own conversations, and in shared ones the person's messages and the replies to them. */
export async function eraseHistory(
  deps: SessionDeps,
  service: Pick<SessionService, "remove">,
  { sessions, sharedSessions, messages }: PersonData,
): Promise<HistoryCounts> {
  let conversations = 0;
  for (const id of sessions) {
    if (!(await deps.sessions.find(id))) continue;
    await service.remove(id).catch(ignoreNotFound);
    conversations += 1;
  }
  let removed = 0;
  const messageIds = new Set(messages);
  for (const id of sharedSessions) removed += await eraseMessages(deps, id, messageIds);
  return { conversations, messages: removed };
}

async function eraseMessages(
  deps: SessionDeps,
  sessionId: string,
  personMessageIds: ReadonlySet<string>,
): Promise<number> {
  const { database, messages } = deps;
  const tables = database().tables<SessionTables>();
  const all = await tables.selectFrom("messages").select("id").where("session_id", "=", sessionId).execute();
  const ids = all.map(({ id }) => id).filter((id) => personMessageIds.has(id));
  if (ids.length > 0) {
    const found = await messages.byIds(ids);
    await resetName(deps, sessionId, new Set(found.map(({ sender }) => sender)));
    const branches = createBranches(deps);
    const closed: Write[] = [];
    for (const message of found) closed.push(...(await branches.reattachWrites(message)));
    const undone = await deps.lifecycle.withoutMessages(sessionId, listTurnMessageIds(found));
    const favorites = await createFavoriteWrites(deps, sessionId, personMessageIds);
    await database().write([
      ...closed,
      ...messages.deleteWrites(ids),
      ...messages.recountWrites(sessionId),
      ...favorites,
      ...undone,
    ]);
    publishMessagesRemoved(deps, sessionId, ids, "deleted");
  }
  return ids.length;
}

/** Resets the name of a conversation that was named after the person. */
async function resetName({ sessions }: SessionDeps, id: string, names: ReadonlySet<string>): Promise<void> {
  const session = await sessions.find(id);
  if (!session || session.name === "" || !names.has(session.name)) return;
  await sessions.change(id, ({ conversation_id }) => ({ name: conversation_id ?? id }));
}

/** Returns the writes that remove the person's messages from favorites, which contain copies. */
async function createFavoriteWrites({ database }: SessionDeps, sessionId: string, messageIds: ReadonlySet<string>) {
  const tables = database().tables<SessionTables>();
  const rows = await tables
    .selectFrom("message_favorites")
    .select(["id", "messages"])
    .where("session_id", "=", sessionId)
    .execute();
  return rows.map(({ id, messages }): Write => {
    const left = (JSON.parse(messages) as readonly { readonly id: string }[]).filter((one) => !messageIds.has(one.id));
    if (left.length === 0) return { query: tables.deleteFrom("message_favorites").where("id", "=", id) };
    const query = tables
      .updateTable("message_favorites")
      .set({ messages: JSON.stringify(left) })
      .where("id", "=", id);
    return { query };
  });
}

function ignoreNotFound(error: unknown): void {
  if (!AppError.is(error) || error.code !== "not_found") throw error;
}

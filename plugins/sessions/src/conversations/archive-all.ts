import type { Session } from "@parley/core";
import { publishMessagesRemoved, type SessionDeps } from "../session-deps.ts";

/** Archives all messages of a session, whose settings, memories and relationships stay; returns their count. */
export async function archiveAll(deps: SessionDeps, session: Session): Promise<number> {
  const { sessions, messages } = deps;
  const ids = await messages.ids(session.id, "live");
  if (ids.length === 0) return 0;
  await sessions.change(session.id, () => ({ summary: "" }), {
    others: [...messages.moveWrites(ids, "archive"), ...messages.recountWrites(session.id)],
  });
  publishMessagesRemoved(deps, session.id, ids, "compressed");
  return ids.length;
}

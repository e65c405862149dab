import { type Clock, type Database, isGroupSession, type Memory, type Session, userOf, webUser } from "@parley/core";
import type { MemoryService } from "../store/memories.ts";
import type { MemoryWriter } from "./memory-writer.ts";

export interface StoreSummaryDeps {
  readonly memories: MemoryService;
  readonly remember: MemoryWriter;
  readonly database: () => Database;
  readonly clock: Clock;
}

/** Stores a summary as a memory of the conversation's counterpart; does nothing for a group. */
export async function storeSummary(
  { memories, remember, database, clock }: StoreSummaryDeps,
  session: Session,
  summary: string,
  username: string,
): Promise<readonly Memory[]> {
  if (isGroupSession(session) || summary.trim() === "") return [];
  const { channel_id, user_id } = session;
  const finding = { content: summary, title: session.name, kind: "other", importance: 6, fact: null } as const;
  const { stored, writes, applied } = await remember.storeWrites([finding], {
    target_id: channel_id === "web" || user_id === null ? webUser(username) : userOf(channel_id, user_id),
    character_id: session.character_id,
    session_id: session.id,
    source: "summary",
    said_at: new Date(clock.now()).toISOString(),
  });
  await database().write(writes);
  applied();
  return memories.withCharacterNames(stored);
}

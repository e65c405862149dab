import { isShared, type Message, newId, notFound, type Session, type Write } from "@parley/core";
import {
  assertNotArchived,
  assertNotRunning,
  listTurnMessageIds,
  now,
  publishMessage,
  publishMessagesRemoved,
  type SessionDeps,
} from "../session-deps.ts";
import type { BranchTable, Place, SessionTables } from "../store/tables.ts";

/** A position in a conversation with several continuations. */
export interface BranchPoint {
  /** Id of the message before it; null at the beginning of the conversation. */
  readonly after_id: string | null;
  /** The continuations in chronological order. */
  readonly variants: readonly Variant[];
}

/** An answer to a question. */
export interface Answer {
  /** Branch of the answer; null for the visible conversation. */
  readonly branch_id: string | null;
  readonly message: Message;
}

interface Variant {
  /** Branch of the variant; null for the visible conversation. */
  readonly branch_id: string | null;
  /** Id of its first message. */
  readonly message_id: string;
}

/** Manages the branches besides the visible conversation. Creating or showing a branch preserves all others. */
export interface Branches {
  list(idOrKey: string): Promise<{ readonly items: readonly BranchPoint[] }>;
  /** Returns all answers to a message, also those in branches, in chronological order. */
  answers(idOrKey: string, messageId: string): Promise<{ readonly items: readonly Answer[] }>;
  /** Shows a branch. The end of the conversation that it replaces becomes a branch. */
  show(idOrKey: string, branchId: string): Promise<{ shown_ids: readonly string[]; removed_ids: readonly string[] }>;
  /** Returns the writes that move the end of a conversation, `tail`, into a separate branch. */
  branchOffWrites(session: Session, tail: readonly Message[], id?: string): Promise<readonly Write[]>;
  /** Returns the writes that undo what the turns of these messages changed, such as moods; memories also of the `others`. */
  undoWrites(session: Session, messages: readonly Message[], others?: readonly string[]): Promise<readonly Write[]>;
  /** Returns the writes that delete the branches of permanently deleted messages. */
  deleteDependentWrites(sessionId: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  /** Returns the writes that reattach the branches of a deleted message to the message before it. */
  reattachWrites(message: Message): Promise<readonly Write[]>;
  deleteAllWrites(sessionId: string): Promise<readonly Write[]>;
}

interface BranchHead {
  readonly id: string;
  readonly seq: number;
}

/** Maximum number of messages checked after a question in each branch, since its answers come first. */
const MAX_ANSWERS_PER_BRANCH = 5;

/** Returns the session with the character that spoke last in the messages. */
function withSpeakerOf(session: Session, shown: readonly Message[]): Session {
  const last = shown.findLast(({ role, character_id }) => role === "assistant" && character_id !== null);
  return isShared(session) && last ? { ...session, character_id: last.character_id } : session;
}

function isAnswerTo({ id }: Message): (message: Message) => boolean {
  return ({ role, reply_to, hidden }) => role === "assistant" && reply_to === id && !hidden;
}

export function createBranches(deps: SessionDeps): Branches {
  const { sessions, messages, database } = deps;
  const tables = () => database().tables<SessionTables>();
  const findBranches = (sessionId: string): Promise<readonly BranchTable[]> =>
    tables().selectFrom("message_branches").selectAll().where("session_id", "=", sessionId).orderBy("id").execute();
  const selectPlace = (sessionId: string, place: string) =>
    tables().selectFrom("messages").where("session_id", "=", sessionId).where("place", "=", place);
  const findHead = (sessionId: string, place: string, after = 0): Promise<BranchHead | undefined> =>
    selectPlace(sessionId, place)
      .select(["id", "seq"])
      .where("seq", ">", after)
      .where("hidden", "=", 0)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
  const findSeq = async (sessionId: string, id: string): Promise<number | undefined> =>
    (await selectPlace(sessionId, "live").select("seq").where("id", "=", id).executeTakeFirst())?.seq;
  const findPrevious = (sessionId: string, seq: number) =>
    selectPlace(sessionId, "live")
      .select("id")
      .where("seq", "<", seq)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
  const deleteRowWrites = (ids: readonly string[]): readonly Write[] =>
    ids.length === 0 ? [] : [{ query: tables().deleteFrom("message_branches").where("id", "in", ids) }];
  /** Returns the position after which a branch would replace the conversation; undefined when it cannot be shown. */
  const findForkSeq = async (session: Session, afterId: string | null): Promise<number | undefined> => {
    if (afterId !== null) return findSeq(session.id, afterId);
    // A branch from the beginning would replace summarized messages, too.
    return session.archived_message_count === 0 ? 0 : undefined;
  };

  const branchOffWrites: Branches["branchOffWrites"] = async (
    session,
    tail,
    id = newId("branch", deps.clock.now()),
  ) => {
    const [first] = tail;
    if (!first) return [];
    const snapshot = await deps.characters()?.snapshotOf(withSpeakerOf(session, tail));
    const row: BranchTable = {
      id,
      session_id: session.id,
      after_id: (await findPrevious(session.id, first.seq))?.id ?? null,
      state: snapshot ? JSON.stringify(snapshot.state) : null,
      created_at: now(deps),
    };
    const ids = tail.map((message) => message.id);
    return [{ query: tables().insertInto("message_branches").values(row) }, ...messages.moveWrites(ids, id as Place)];
  };
  const undoWrites: Branches["undoWrites"] = async (session, removed, others = []) => {
    const ids = removed.map(({ id }) => id);
    const moved = (await deps.characters()?.withoutMessages(session, ids)) ?? [];
    const found = (await deps.memories()?.withoutMessages([...ids, ...others])) ?? [];
    const undone = await deps.lifecycle.withoutMessages(session.id, listTurnMessageIds(removed));
    return [...moved, ...found, ...undone];
  };

  return {
    branchOffWrites,
    undoWrites,
    async list(idOrKey) {
      const session = await sessions.get(idOrKey);
      const byPlace = Map.groupBy(await findBranches(session.id), ({ after_id }) => after_id);
      const forks = await Promise.all(
        byPlace.entries().map(async ([after_id, rows]) => {
          const forkSeq = await findForkSeq(session, after_id);
          if (forkSeq === undefined) return [];
          const heads = await Promise.all([
            ...rows.map(async ({ id }) => ({ branch_id: id, head: await findHead(session.id, id) })),
            findHead(session.id, "live", forkSeq).then((head) => ({ branch_id: null, head })),
          ]);
          const variants = heads
            .flatMap(({ branch_id, head }) => (head ? [{ branch_id, message_id: head.id, seq: head.seq }] : []))
            .sort((a, b) => a.seq - b.seq)
            .map(({ seq: _seq, ...variant }) => variant);
          return [{ after_id, variants }];
        }),
      );
      return { items: forks.flat() };
    },
    async answers(idOrKey, messageId) {
      const session = await sessions.get(idOrKey);
      const question = await messages.find(session.id, messageId);
      const branches = (await findBranches(session.id)).filter(({ after_id }) => after_id === question.id);
      const places = [null, ...branches.map(({ id }) => id)];
      const found = await Promise.all(
        places.map(async (branch_id) => {
          const selection = selectPlace(session.id, branch_id ?? "live").where("seq", ">", question.seq);
          const rows = await selection.select("id").orderBy("seq").limit(MAX_ANSWERS_PER_BRANCH).execute();
          const given = await messages.byIds(rows.map(({ id }) => id));
          return given.filter(isAnswerTo(question)).map((message) => ({ branch_id, message }));
        }),
      );
      return { items: found.flat().sort((one, other) => one.message.seq - other.message.seq) };
    },
    async show(idOrKey, branchId) {
      const session = await sessions.get(idOrKey);
      assertNotArchived(session);
      assertNotRunning(deps, session);
      const branch = (await findBranches(session.id)).find(({ id }) => id === branchId);
      const forkSeq = branch && (await findForkSeq(session, branch.after_id));
      if (!branch || forkSeq === undefined) throw notFound("branch", branchId);
      const tail = await messages.liveFrom(session.id, forkSeq + 1);
      const shown = (await selectPlace(session.id, branch.id).select("id").orderBy("seq").execute()).map(
        ({ id }) => id,
      );
      const shownMessages = await messages.byIds(shown);
      const state = branch.state === null ? undefined : JSON.parse(branch.state);
      await database().write([
        ...(await branchOffWrites(session, tail)),
        ...messages.moveWrites(shown, "live"),
        ...deleteRowWrites([branch.id]),
        ...(await undoWrites(session, tail)),
        ...((await deps.characters()?.restoring(withSpeakerOf(session, shownMessages), { state })) ?? []),
        ...messages.recountWrites(session.id),
      ]);
      const removed_ids = tail.map(({ id }) => id);
      publishMessagesRemoved(deps, session.id, removed_ids, "switched");
      for (const message of await messages.liveFrom(session.id, forkSeq + 1))
        publishMessage(deps, "new_message", message);
      return { shown_ids: shown, removed_ids };
    },
    async deleteDependentWrites(sessionId, messageIds) {
      const rows = await findBranches(sessionId);
      const deletedMessageIds = new Set(messageIds);
      const deletedBranchIds = new Set<string>();
      const more: string[] = [];
      // A deleted branch may have branches, which are deleted too.
      for (let hasMore = true; hasMore; ) {
        const next = rows.filter(
          ({ id, after_id }) => !deletedBranchIds.has(id) && after_id !== null && deletedMessageIds.has(after_id),
        );
        for (const { id } of next) {
          deletedBranchIds.add(id);
          for (const message of await selectPlace(sessionId, id).select("id").execute()) {
            deletedMessageIds.add(message.id);
            more.push(message.id);
          }
        }
        hasMore = next.length > 0;
      }
      return [...messages.deleteWrites(more), ...deleteRowWrites([...deletedBranchIds])];
    },
    async reattachWrites({ id, session_id, seq }) {
      const after_id = (await findPrevious(session_id, seq))?.id ?? null;
      const query = tables()
        .updateTable("message_branches")
        .set({ after_id })
        .where("session_id", "=", session_id)
        .where("after_id", "=", id);
      return [{ query }];
    },
    async deleteAllWrites(sessionId) {
      const ids = (await findBranches(sessionId)).map(({ id }) => id);
      if (ids.length === 0) return [];
      const theirs = tables().deleteFrom("messages").where("session_id", "=", sessionId).where("place", "in", ids);
      return [{ query: theirs }, ...deleteRowWrites(ids)];
    },
  };
}

import { type Message, newId, notFound, type Session, type Write } from "@parley/core";
import { now, refuseArchived, refuseRunning, type SessionParts, tellMessage, tellRemoved, turnsOf } from "./parts.ts";
import type { BranchTable, Place, SessionTables } from "./tables.ts";

/** A place in a conversation from which it went on in more than one way. */
export interface Fork {
  /** The message before it; null: the beginning. */
  readonly after_id: string | null;
  /** In the order they were said. */
  readonly variants: readonly Variant[];
}

/** An answer to a question. */
export interface Answer {
  /** null: it is shown. */
  readonly branch_id: string | null;
  readonly message: Message;
}

interface Variant {
  /** null: the one that is shown. */
  readonly branch_id: string | null;
  /** Its first message. */
  readonly message_id: string;
}

/** The ways a conversation went on besides the one that is shown: nothing of them is lost when another is made or shown. */
export interface Branches {
  list(idOrKey: string): Promise<{ readonly items: readonly Fork[] }>;
  /** All answers to a message of the conversation, those in branches too, in the order they were given. */
  answers(idOrKey: string, messageId: string): Promise<{ readonly items: readonly Answer[] }>;
  /** Shows a branch; what stood in its place becomes one. */
  show(idOrKey: string, branchId: string): Promise<{ shown_ids: readonly string[]; removed_ids: readonly string[] }>;
  /** Statements that put the end of a conversation, `tail`, into a branch of its own. */
  puttingAside(session: Session, tail: readonly Message[], id?: string): Promise<readonly Write[]>;
  /** Statements that take back what the answers of messages changed that are not part of the conversation any more. */
  undoing(session: Session, messages: readonly Message[], others?: readonly string[]): Promise<readonly Write[]>;
  /** Statements that delete what went on from messages that go for good. */
  endingWith(sessionId: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  /** Statements after which what went on from a message that goes goes on from the one before it. */
  closingUp(message: Message): Promise<readonly Write[]>;
  endingAll(sessionId: string): Promise<readonly Write[]>;
}

interface Head {
  readonly id: string;
  readonly seq: number;
}

/** So many messages after a question are looked at, in each branch: its answers come first. */
const MOST_ANSWERS = 5;

function isAnswerTo({ id }: Message): (message: Message) => boolean {
  return ({ role, reply_to, hidden }) => role === "assistant" && reply_to === id && !hidden;
}

export function createBranches(parts: SessionParts): Branches {
  const { sessions, messages, database } = parts;
  const tables = () => database().tables<SessionTables>();
  const rowsOf = (sessionId: string): Promise<readonly BranchTable[]> =>
    tables().selectFrom("message_branches").selectAll().where("session_id", "=", sessionId).orderBy("id").execute();
  const inPlace = (sessionId: string, place: string) =>
    tables().selectFrom("messages").where("session_id", "=", sessionId).where("place", "=", place);
  const firstOf = (sessionId: string, place: string, after = 0): Promise<Head | undefined> =>
    inPlace(sessionId, place)
      .select(["id", "seq"])
      .where("seq", ">", after)
      .where("hidden", "=", 0)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
  const seqOf = async (sessionId: string, id: string): Promise<number | undefined> =>
    (await inPlace(sessionId, "live").select("seq").where("id", "=", id).executeTakeFirst())?.seq;
  const before = (sessionId: string, seq: number) =>
    inPlace(sessionId, "live").select("id").where("seq", "<", seq).orderBy("seq", "desc").limit(1).executeTakeFirst();
  const forget = (ids: readonly string[]): readonly Write[] =>
    ids.length === 0 ? [] : [{ query: tables().deleteFrom("message_branches").where("id", "in", ids) }];
  /** Where the end of the conversation begins that a branch could stand in place of; undefined: nowhere now. */
  const placeOf = async (session: Session, afterId: string | null): Promise<number | undefined> => {
    if (afterId !== null) return seqOf(session.id, afterId);
    // What the summary stands for is no part of what would be put aside.
    return session.archived_message_count === 0 ? 0 : undefined;
  };

  const puttingAside: Branches["puttingAside"] = async (session, tail, id = newId("branch", parts.clock.now())) => {
    const [first] = tail;
    if (!first) return [];
    const snapshot = await parts.characters()?.snapshotOf(session);
    const row: BranchTable = {
      id,
      session_id: session.id,
      after_id: (await before(session.id, first.seq))?.id ?? null,
      state: snapshot ? JSON.stringify(snapshot.state) : null,
      created_at: now(parts),
    };
    const ids = tail.map((message) => message.id);
    return [{ query: tables().insertInto("message_branches").values(row) }, ...messages.move(ids, id as Place)];
  };
  const undoing: Branches["undoing"] = async (session, gone, others = []) => {
    const ids = gone.map(({ id }) => id);
    const moved = (await parts.characters()?.withoutMessages(session, ids)) ?? [];
    const found = (await parts.memories()?.withoutMessages([...ids, ...others])) ?? [];
    const undone = await parts.belongings.withoutMessages(session.id, turnsOf(gone));
    return [...moved, ...found, ...undone];
  };

  return {
    puttingAside,
    undoing,
    async list(idOrKey) {
      const session = await sessions.get(idOrKey);
      const byPlace = Map.groupBy(await rowsOf(session.id), ({ after_id }) => after_id);
      const forks = await Promise.all(
        byPlace.entries().map(async ([after_id, rows]) => {
          const place = await placeOf(session, after_id);
          if (place === undefined) return [];
          const heads = await Promise.all([
            ...rows.map(async ({ id }) => ({ branch_id: id, head: await firstOf(session.id, id) })),
            firstOf(session.id, "live", place).then((head) => ({ branch_id: null, head })),
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
      const branches = (await rowsOf(session.id)).filter(({ after_id }) => after_id === question.id);
      const places = [null, ...branches.map(({ id }) => id)];
      const found = await Promise.all(
        places.map(async (branch_id) => {
          const said = inPlace(session.id, branch_id ?? "live").where("seq", ">", question.seq);
          const rows = await said.select("id").orderBy("seq").limit(MOST_ANSWERS).execute();
          const given = await messages.byIds(rows.map(({ id }) => id));
          return given.filter(isAnswerTo(question)).map((message) => ({ branch_id, message }));
        }),
      );
      return { items: found.flat().sort((one, other) => one.message.seq - other.message.seq) };
    },
    async show(idOrKey, branchId) {
      const session = await sessions.get(idOrKey);
      refuseArchived(session);
      refuseRunning(parts, session);
      const branch = (await rowsOf(session.id)).find(({ id }) => id === branchId);
      const place = branch && (await placeOf(session, branch.after_id));
      if (!branch || place === undefined) throw notFound("branch", branchId);
      const tail = await messages.liveFrom(session.id, place + 1);
      const shown = (await inPlace(session.id, branch.id).select("id").orderBy("seq").execute()).map(({ id }) => id);
      const state = branch.state === null ? undefined : JSON.parse(branch.state);
      await database().write([
        ...(await puttingAside(session, tail)),
        ...messages.move(shown, "live"),
        ...forget([branch.id]),
        ...(await undoing(session, tail)),
        ...((await parts.characters()?.restoring(session, { state })) ?? []),
        ...messages.recount(session.id),
      ]);
      const removed_ids = tail.map(({ id }) => id);
      tellRemoved(parts, session.id, removed_ids, "switched");
      for (const message of await messages.liveFrom(session.id, place + 1)) tellMessage(parts, "new_message", message);
      return { shown_ids: shown, removed_ids };
    },
    async endingWith(sessionId, messageIds) {
      const rows = await rowsOf(sessionId);
      const gone = new Set(messageIds);
      const ended = new Set<string>();
      const more: string[] = [];
      // What goes on from something in a branch that ends, ends with it.
      for (let grows = true; grows; ) {
        const next = rows.filter(({ id, after_id }) => !ended.has(id) && after_id !== null && gone.has(after_id));
        for (const { id } of next) {
          ended.add(id);
          for (const message of await inPlace(sessionId, id).select("id").execute()) {
            gone.add(message.id);
            more.push(message.id);
          }
        }
        grows = next.length > 0;
      }
      return [...messages.remove(more), ...forget([...ended])];
    },
    async closingUp({ id, session_id, seq }) {
      const after_id = (await before(session_id, seq))?.id ?? null;
      const query = tables()
        .updateTable("message_branches")
        .set({ after_id })
        .where("session_id", "=", session_id)
        .where("after_id", "=", id);
      return [{ query }];
    },
    async endingAll(sessionId) {
      const ids = (await rowsOf(sessionId)).map(({ id }) => id);
      if (ids.length === 0) return [];
      const theirs = tables().deleteFrom("messages").where("session_id", "=", sessionId).where("place", "in", ids);
      return [{ query: theirs }, ...forget(ids)];
    },
  };
}

import {
  contains,
  type Database,
  type Message,
  notFound,
  type People,
  type PersonAddress,
  type PersonIds,
  readPersonAddress,
} from "@parley/core";
import { fromMessageRow } from "../store/rows.ts";
import type { MessageTable, SessionTable, SessionTables } from "../store/tables.ts";

const PAGE_SIZE = 500;
const ACCOUNT_ID_PREFIX = "user_";
const WEB_SESSION_PREFIX = "sess_";

export interface FindPersonDeps {
  readonly database: () => Database;
  readonly people: () => People | undefined;
}

/** Finds the sessions and messages of a person. Rejects with `not_found` for an invalid address. */
export async function findPerson({ database, people }: FindPersonDeps, personId: string): Promise<PersonIds> {
  const first = readPersonAddress(personId);
  if (!first) throw notFound("person", personId);
  const known = (await people()?.addressesOf(personId)) ?? [personId];
  const addresses = [...new Set([personId, ...known])].flatMap((one) => readPersonAddress(one) ?? []);
  const written = await findMessagesFrom(database(), addresses);
  const own = new Set(await findOwnSessions(database(), addresses, written));
  const shared = [...new Set(written.map(({ session_id }) => session_id))].filter((id) => !own.has(id));
  const inShared = written.filter(({ session_id }) => !own.has(session_id));
  const answers = await findAnswers(database(), shared, inShared);
  const all = [...(await loadMessages(database(), [...own])), ...inShared, ...answers];
  return {
    addresses,
    sessions: [...own],
    sharedSessions: shared,
    messages: [...inShared, ...answers].map(({ id }) => id),
    traces: [...new Set(all.flatMap(({ trace_id }) => trace_id ?? []))],
    files: [...new Set(all.flatMap(toFileUrls))],
  };
}

function toFileUrls({ attachments, audio_url }: Message): readonly string[] {
  return [...attachments.map(({ url }) => url), ...(audio_url === null ? [] : [audio_url])].filter((url) => url !== "");
}

/** True when the person sent the message. On the console people have a user name, on channels an id. */
function isSentBy({ channelId, userId }: PersonAddress, message: Message): boolean {
  if (message.role !== "user") return false;
  const isOfAccount = message.sender_id === null || message.sender_id.startsWith(ACCOUNT_ID_PREFIX);
  if (channelId === "web") return isOfAccount && (message.sender || message.sender_id) === userId;
  return message.source === channelId && message.sender_id === userId;
}

async function findMessagesFrom(database: Database, addresses: readonly PersonAddress[]): Promise<readonly Message[]> {
  const found = new Map<string, Message>();
  for (const address of addresses) {
    const { channelId, userId } = address;
    const named = channelId === "web" ? contains("sender", userId) : contains("fields", JSON.stringify(userId));
    for await (const message of readMessages(database, (rows) => rows.where(named))) {
      if (isSentBy(address, message)) found.set(message.id, message);
    }
  }
  return [...found.values()];
}

async function loadMessages(database: Database, sessions: readonly string[]): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (const id of sessions) {
    for await (const message of readMessages(database, (rows) => rows.where("session_id", "=", id)))
      found.push(message);
  }
  return found;
}

/** Finds the replies to the messages, and the summaries that contain those messages. */
async function findAnswers(database: Database, sessions: readonly string[], written: readonly Message[]) {
  const ids = new Set(written.map(({ id }) => id));
  const traces = new Set(written.flatMap(({ trace_id }) => trace_id ?? []));
  const isAnswer = ({ id, reply_to, trace_id, kind }: Message) =>
    !ids.has(id) && (kind === "summary" || ids.has(reply_to ?? "") || traces.has(trace_id ?? ""));
  return (await loadMessages(database, sessions)).filter(isAnswer);
}

/** Finds private platform conversations, console conversations without other authors, and forks of both. */
async function findOwnSessions(database: Database, addresses: readonly PersonAddress[], written: readonly Message[]) {
  const own = new Set<string>();
  const forks = new Map<string, string>();
  for await (const { id, channel_id, fields } of readSessions(database)) {
    const { user_id, forked_from } = JSON.parse(fields) as {
      readonly user_id?: string | null;
      readonly forked_from?: { readonly session_id: string } | null;
    };
    if (addresses.some((one) => one.channelId === channel_id && one.userId === user_id)) own.add(id);
    if (forked_from) forks.set(id, forked_from.session_id);
  }
  const personMessageIds = new Set(written.map(({ id }) => id));
  const web = addresses.some(({ channelId }) => channelId === "web");
  for (const id of new Set(web ? written.map(({ session_id }) => session_id) : [])) {
    if (own.has(id) || !id.startsWith(WEB_SESSION_PREFIX)) continue;
    const others = (await loadMessages(database, [id])).some(
      (one) => one.role === "user" && !personMessageIds.has(one.id),
    );
    if (!others) own.add(id);
  }
  for (let before = -1; before < own.size; ) {
    before = own.size;
    for (const [id, from] of forks) if (own.has(from)) own.add(id);
  }
  return own;
}

type MessageQueryBuilder = ReturnType<typeof selectMessages>;

function selectMessages(database: Database) {
  return database.tables<SessionTables>().selectFrom("messages").selectAll();
}

async function* readMessages(
  database: Database,
  narrow: (rows: MessageQueryBuilder) => MessageQueryBuilder,
): AsyncIterable<Message> {
  for (let after = ""; ; ) {
    const rows = await narrow(selectMessages(database))
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE_SIZE)
      .execute();
    for (const row of rows) yield fromMessageRow(row as MessageTable);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}

async function* readSessions(database: Database): AsyncIterable<Pick<SessionTable, "id" | "channel_id" | "fields">> {
  const tables = database.tables<SessionTables>();
  for (let after = ""; ; ) {
    const query = tables.selectFrom("sessions").select(["id", "channel_id", "fields"]).where("id", ">", after);
    const rows = await query.orderBy("id").limit(PAGE_SIZE).execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}

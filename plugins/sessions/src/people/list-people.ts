import { type Database, userOf } from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { sql } from "kysely";
import type { SessionTables } from "../store/tables.ts";

export interface ListedPerson {
  readonly person_id: string;
  readonly name: string;
  readonly channel_id: string;
  readonly conversations: number;
  readonly last_message_at: string | null;
}

/** Lists the people of private platform conversations, ordered by last message. */
export async function listPeople(
  database: Database,
  { q = "", ...pageQuery }: Page & { readonly q?: string },
): Promise<List<ListedPerson>> {
  const rows = await database
    .tables<SessionTables>()
    .selectFrom("sessions")
    .select(["id", "name", "channel_id", "fields", "last_message_at"])
    .where("channel_id", "!=", "web")
    .orderBy(sql`coalesce(last_message_at, '')`, "desc")
    .orderBy("id")
    .execute();
  const people = new Map<string, ListedPerson>();
  for (const { name, channel_id, fields, last_message_at } of rows) {
    const { user_id } = JSON.parse(fields) as { readonly user_id?: string | null };
    if (user_id === undefined || user_id === null) continue;
    const person_id = userOf(channel_id, user_id);
    const known = people.get(person_id) ?? { person_id, name, channel_id, conversations: 0, last_message_at };
    people.set(person_id, { ...known, conversations: known.conversations + 1 });
  }
  const needle = q.toLowerCase();
  const found = [...people.values()].filter((one) => `${one.person_id}\n${one.name}`.toLowerCase().includes(needle));
  return toPage(found, pageQuery);
}

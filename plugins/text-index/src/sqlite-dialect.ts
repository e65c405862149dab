import type { IndexedPassage } from "@parley/core";
import type { Compilable } from "kysely";
import { type Kysely, sql } from "kysely";
import { type Dialect, type SearchFilter, type StoredPassage, toTableName } from "./dialect.ts";

/** Creates the dialect of SQLite: FTS5 over precomputed terms; the texts are stored once, in another table. */
export function createSqliteDialect(db: () => Kysely<unknown>): Dialect {
  const write = (query: ReturnType<typeof sql>) => ({ query: { compile: () => query.compile(db()) } });
  const read = <Row>(query: ReturnType<typeof sql<Row>>): Compilable<Row> =>
    db().selectFrom(query.as("found")).selectAll() as unknown as Compilable<Row>;
  const preparedTables = new Set<string>();
  /** Collects the terms of each passage into temporary tables once, on the writing connection, since the FTS5 table has no texts. */
  const prepareVocabulary = async (name: string) => {
    if (preparedTables.has(name)) return;
    const tempTables = toTempTables(name);
    await sql`create virtual table ${tempTables.instances} using fts5vocab(main, ${toTables(name).words}, instance)`.execute(
      db(),
    );
    await sql`create table ${tempTables.terms} as select doc, col, group_concat(term, ' ') as terms from ${tempTables.instances}
      group by doc, col`.execute(db());
    await sql`create index ${tempTables.index} on ${tempTables.table} (doc)`.execute(db());
    preparedTables.add(name);
  };
  return {
    create,
    addWrites(name, group, { passages, terms }) {
      const { entries, words } = toTables(name);
      return [
        write(sql`insert into ${entries} (id, grp, place, title, body, said_at)
          select value->>'id', ${group}, value->>'place', value->>'title', value->>'body', value->>'at' from json_each(${passages})`),
        write(sql`insert into ${words} (rowid, title, body, labels)
          select e.seq, j.value->>'title_terms', j.value->>'body_terms', j.value->>'label_terms'
          from json_each(${terms}) j join ${entries} e on e.id = j.value->>'id'`),
      ];
    },
    removeWrites(name, groups, retained = []) {
      const { entries, words, vectors } = toTables(name);
      const list = JSON.stringify(groups);
      const theirs = sql`grp in (select value from json_each(${list}))`;
      return [
        write(sql`delete from ${words} where rowid in (select seq from ${entries} where ${theirs})`),
        write(sql`delete from ${vectors} where id in (select id from ${entries} where ${theirs})
          and id not in (select value from json_each(${JSON.stringify(retained)}))`),
        write(sql`delete from ${entries} where ${theirs}`),
      ];
    },
    findByTerms(name, terms, filter, limit, isAll = false) {
      const { entries, words } = toTables(name);
      const any = terms.map(({ term, isPrefix }) => `"${term}"${isPrefix ? "*" : ""}`).join(isAll ? " AND " : " OR ");
      const asked = [`{title body} : (${any})`, ...toLabelQueries(filter)].join(" AND ");
      return read<StoredPassage>(sql`(select e.seq, e.id, e.grp, e.place, e.title, e.body, e.said_at from
        (select rowid as seq, bm25(${words}, 3.0, 1.0, 0.0) as worth from ${words} where ${words} match ${asked} ${toInTimeCondition(name, filter)}
          order by worth limit ${limit}) c join ${entries} e on e.seq = c.seq)`);
    },
    findByIds: (name, ids, filter) =>
      read<StoredPassage>(sql`(select seq, id, grp, place, title, body, said_at from ${sql.table(toTableName(name))}
        where id in (select value from json_each(${JSON.stringify(ids)})) ${toInsideCondition(name, filter)})`),
    findBySeqs: (name, seqs, filter) =>
      read<StoredPassage>(sql`(select seq, id, grp, place, title, body, said_at from ${sql.table(toTableName(name))}
        where seq in (select value from json_each(${JSON.stringify(seqs)}))
        ${toInsideCondition(name, filter)})`),
    findIdsInside(name, filter, limit) {
      const { entries, words } = toTables(name);
      const inside = toLabelQueries(filter).join(" AND ");
      if (inside === "")
        return read(sql`(select id from ${entries} where true ${toTimeCondition(filter)} limit ${limit})`);
      return read(sql`(select e.id from (select rowid as seq from ${words} where ${words} match ${inside}
        ${toInTimeCondition(name, filter)} limit ${limit}) c join ${entries} e on e.seq = c.seq)`);
    },
    countTerms(name, terms) {
      const { counts } = toTables(name);
      return read(sql`(select j.value as term, coalesce((select doc from ${counts} v where v.term = j.value), 0) as passages
        from json_each(${JSON.stringify(terms)}) j)`);
    },
    async readStored(name, after, limit) {
      await prepareVocabulary(name);
      const { entries } = toTables(name);
      const { terms } = toTempTables(name);
      const selectTerms = (column: string) =>
        sql`coalesce((select terms from ${terms} where doc = e.seq and col = ${column}), '')`;
      const { rows } = await sql<IndexedPassage>`select seq, id, grp, place, title, body, said_at,
        ${selectTerms("title")} as title_terms, ${selectTerms("body")} as body_terms, ${selectTerms("labels")} as label_terms
        from ${entries} e where seq > ${after} order by seq limit ${limit}`.execute(db());
      return rows;
    },
    restoreWrites(name, passages) {
      const { entries, words } = toTables(name);
      return [
        write(sql`insert into ${entries} (seq, id, grp, place, title, body, said_at) select value->>'seq', value->>'id',
          value->>'grp', value->>'place', value->>'title', value->>'body', value->>'said_at' from json_each(${passages})`),
        write(sql`insert into ${words} (rowid, title, body, labels) select value->>'seq', value->>'title_terms',
          value->>'body_terms', value->>'label_terms' from json_each(${passages})`),
      ];
    },
  };
}

/** Names temporary tables, which only this connection sees and which end with it. */
function toTempTables(name: string) {
  const table = `${toTableName(name)}_stored`;
  return {
    instances: sql.id("temp", `${toTableName(name)}_instances`),
    terms: sql.id("temp", table),
    table: sql.id(table),
    index: sql.id("temp", `${table}_doc`),
  };
}

function toTables(name: string) {
  const table = toTableName(name);
  return {
    entries: sql.table(table),
    words: sql.table(`${table}_words`),
    counts: sql.table(`${table}_counts`),
    vectors: sql.table(`${table}_vectors`),
  };
}

async function create(db: Kysely<unknown>, name: string): Promise<void> {
  const { entries, words, counts } = toTables(name);
  await sql`create table ${entries} (seq integer primary key, id text not null unique, grp text not null,
    place integer not null, title text not null, body text not null, said_at bigint not null)`.execute(db);
  await sql`create index ${sql.table(`${toTableName(name)}_group`)} on ${entries} (grp, place)`.execute(db);
  await sql`create index ${sql.table(`${toTableName(name)}_time`)} on ${entries} (said_at)`.execute(db);
  await sql`create virtual table ${words} using fts5(title, body, labels, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0")`.execute(db);
  await sql`create virtual table ${counts} using fts5vocab(${words}, 'row')`.execute(db);
}

function toLabelQueries({ labels }: SearchFilter): readonly string[] {
  return labels.map((some) => `{labels} : (${some.map((label) => `"${label}"`).join(" OR ")})`);
}

function toInsideCondition(name: string, filter: SearchFilter) {
  const labels = toLabelQueries(filter).join(" AND ");
  const { words } = toTables(name);
  const labelCondition =
    labels === ""
      ? sql``
      : sql`and exists
    (select 1 from ${words} where ${words} match ${labels} and rowid = seq)`;
  return sql`${labelCondition} ${toTimeCondition(filter)}`;
}

function toInTimeCondition(name: string, filter: SearchFilter) {
  if (filter.since === undefined && filter.until === undefined) return sql``;
  return sql`and rowid in (select seq from ${sql.table(toTableName(name))} where true ${toTimeCondition(filter)})`;
}

function toTimeCondition({ since, until }: SearchFilter) {
  const from = since === undefined ? sql`` : sql`and said_at >= ${since}`;
  return until === undefined ? from : sql`${from} and said_at < ${until}`;
}

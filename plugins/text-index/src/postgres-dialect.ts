import type { IndexedPassage } from "@parley/core";
import type { Compilable } from "kysely";
import { type Kysely, sql } from "kysely";
import { type Dialect, type SearchFilter, type StoredPassage, toTableName, type WeightedTerm } from "./dialect.ts";

/** Maximum passages counted for a term: a more frequent one does not discriminate. */
const MAX_COUNTED = 20_000;

/** Creates the dialect of PostgreSQL: its full-text search over precomputed terms, because its own dictionaries know one language at a time. */
export function createPostgresDialect(db: () => Kysely<unknown>): Dialect {
  const write = (query: ReturnType<typeof sql>) => ({ query: { compile: () => query.compile(db()) } });
  const read = <Row>(query: ReturnType<typeof sql<Row>>): Compilable<Row> =>
    db().selectFrom(query.as("found")).selectAll() as unknown as Compilable<Row>;
  const columns = sql.raw("seq, id, grp, place, title, body, said_at");
  return {
    create,
    addWrites: (name, group, { passages, terms }) => [
      write(sql`insert into ${sql.table(toTableName(name))} (id, grp, place, title, body, said_at, words)
        select id, ${group}, place, title, body, at, setweight(to_tsvector('simple', title_terms), 'A')
          || setweight(to_tsvector('simple', body_terms), 'B') || setweight(to_tsvector('simple', label_terms), 'D')
        from json_to_recordset(${passages}::json) as p(id text, place integer, title text, body text, at bigint)
        join json_to_recordset(${terms}::json) as t(id text, title_terms text, body_terms text, label_terms text) using (id) order by place`),
    ],
    removeWrites(name, groups, retained = []) {
      const entries = sql.table(toTableName(name));
      const theirs = sql`grp in (select json_array_elements_text(${JSON.stringify(groups)}::json))`;
      return [
        write(
          sql`delete from ${sql.table(`${toTableName(name)}_vectors`)} where id in (select id from ${entries} where ${theirs})
            and id not in (select json_array_elements_text(${JSON.stringify(retained)}::json))`,
        ),
        write(sql`delete from ${entries} where ${theirs}`),
      ];
    },
    findByTerms(name, terms, filter, limit, isAll = false) {
      const any = `(${terms.map(toTsQueryTerm).join(isAll ? " & " : " | ")})`;
      const all = [any, ...toLabelQueries(filter)].join(" & ");
      const worth = sql.join(
        terms.map(
          (one) =>
            sql`case when words @@ to_tsquery('simple', ${toTsQueryTerm(one)}) then ${one.weight}::float8 else 0 end`,
        ),
        sql` + `,
      );
      return read<StoredPassage>(sql`(select ${columns} from ${sql.table(toTableName(name))}
        where words @@ to_tsquery('simple', ${all}) ${toTimeCondition(filter)}
        order by (${worth}) / ln(2.7 + length(body) / 100.0) desc, id limit ${limit})`);
    },
    findByIds: (name, ids, filter) =>
      read<StoredPassage>(sql`(select ${columns} from ${sql.table(toTableName(name))}
        where id in (select json_array_elements_text(${JSON.stringify(ids)}::json)) ${toInsideCondition(filter)})`),
    findBySeqs: (name, seqs, filter) =>
      read<StoredPassage>(sql`(select ${columns} from ${sql.table(toTableName(name))}
        where seq in (select value::bigint from json_array_elements_text(${JSON.stringify(seqs)}::json) as value) ${toInsideCondition(filter)})`),
    findIdsInside: (name, filter, limit) =>
      read(
        sql`(select id from ${sql.table(toTableName(name))} where true ${toInsideCondition(filter)} limit ${limit})`,
      ),
    countTerms: (name, terms) =>
      read(sql`(select term, (select count(*) from (select 1 from ${sql.table(toTableName(name))}
          where words @@ to_tsquery('simple', '''' || term || ''':AB') limit ${MAX_COUNTED}) as counted) as passages
        from json_array_elements_text(${JSON.stringify(terms)}::json) as term)`),
    async readStored(name, after, limit) {
      const selectTerms = (
        weight: string,
      ) => sql`coalesce((select string_agg(lexeme, ' ') from unnest(words) as w, unnest(w.weights) as one
        where one = ${sql.lit(weight)}), '')`;
      const { rows } =
        await sql<IndexedPassage>`select ${columns}, ${selectTerms("A")} as title_terms, ${selectTerms("B")} as body_terms,
        ${selectTerms("D")} as label_terms from ${sql.table(toTableName(name))} where seq > ${after} order by seq limit ${limit}`.execute(
          db(),
        );
      return rows;
    },
    restoreWrites: (name, passages) => [
      write(sql`insert into ${sql.table(toTableName(name))} (seq, id, grp, place, title, body, said_at, words) overriding system value
        select seq, id, grp, place, title, body, said_at, setweight(to_tsvector('simple', title_terms), 'A')
          || setweight(to_tsvector('simple', body_terms), 'B') || setweight(to_tsvector('simple', label_terms), 'D')
        from json_to_recordset(${passages}::json) as p(seq bigint, id text, grp text, place integer, title text, body text,
          said_at bigint, title_terms text, body_terms text, label_terms text) order by seq`),
      write(sql`select setval(pg_get_serial_sequence(${sql.lit(toTableName(name))}, 'seq'),
        (select max(seq) from ${sql.table(toTableName(name))}))`),
    ],
  };
}

async function create(db: Kysely<unknown>, name: string): Promise<void> {
  const entries = sql.table(toTableName(name));
  await sql`create table ${entries} (seq bigint generated always as identity primary key, id text not null unique,
    grp text not null, place integer not null, title text not null, body text not null, said_at bigint not null,
    words tsvector not null)`.execute(db);
  await sql`create index ${sql.table(`${toTableName(name)}_group`)} on ${entries} (grp, place)`.execute(db);
  await sql`create index ${sql.table(`${toTableName(name)}_time`)} on ${entries} (said_at)`.execute(db);
  await sql`create index ${sql.table(`${toTableName(name)}_words`)} on ${entries} using gin (words)`.execute(db);
}

const toTsQueryTerm = ({ term, isPrefix }: WeightedTerm) => `'${term}':${isPrefix ? "*" : ""}AB`;

export function toLabelQueries({ labels }: Pick<SearchFilter, "labels">): readonly string[] {
  return labels.map((some) => `(${some.map((label) => `'${label}':D`).join(" | ")})`);
}

function toInsideCondition(filter: SearchFilter) {
  const labels = toLabelQueries(filter).join(" & ");
  const labelCondition = labels === "" ? sql`` : sql`and words @@ to_tsquery('simple', ${labels})`;
  return sql`${labelCondition} ${toTimeCondition(filter)}`;
}

function toTimeCondition({ since, until }: SearchFilter) {
  const from = since === undefined ? sql`` : sql`and said_at >= ${since}`;
  return until === undefined ? from : sql`${from} and said_at < ${until}`;
}

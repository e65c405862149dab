import type { Database, TextHit, TextQuery, TextSpace } from "@parley/core";
import { type QueryTerm, queryTerms, synonymsOf } from "@parley/core/text";
import type { Kysely } from "kysely";
import { type Variants, variantsFor } from "./chinese-variants.ts";
import { type Dialect, type Narrowing, type StoredPassage, tableOf, type WantedTerm } from "./dialect.ts";
import type { IndexThread } from "./index-thread.ts";
import { labelTerm } from "./labels.ts";
import { BESIDE, type Candidate, type RankedTerm } from "./rank.ts";
import type { Vectors } from "./vectors.ts";

/** Passages that are looked at whole. */
const CANDIDATES = 80;
/** Those of them whose neighbours are looked at, too. */
const WITH_NEIGHBOURS = 12;
/** Passages that the engine may weigh for one question: the terms that are in more only help to put them in order. */
const WEIGHED = 6_000;
const MAX_TERMS = 32;
const MAX_SYNONYMS = 64;
const MAX_LIMIT = 500;
/** What the vector counts beside the words. */
const MODEL_WEIGHT = 0.6;
const LOCAL_WEIGHT = 0.3;
/** Where no more entries may be found at all, each is looked at: to choose among them takes longer. */
const LOOKED_AT_WHOLE = 200;
/** So many entries that may be found at all are compared one by one; more, as if all might. */
const FEW = 5_000;
const COUNTS_MS = 10_000;
const MAX_COUNTS = 20_000;

export interface SpaceParts {
  readonly name: string;
  readonly database: () => Database;
  readonly dialect: () => Dialect;
  readonly thread: IndexThread;
  readonly vectors: Vectors;
  readonly now: () => number;
}

interface Entries {
  readonly [table: string]: {
    readonly id: string;
    readonly grp: string;
    readonly place: number;
    readonly title: string;
    readonly body: string;
  };
}

export function createTextSpace({
  name,
  database,
  dialect,
  thread,
  vectors,
  now,
}: SpaceParts): Omit<TextSpace, "prepare"> {
  const counts = createCounts({ name, database, dialect, now });
  const db = () => database().tables<Entries>();
  const rows = (query: ReturnType<Dialect["passagesWith"]>) =>
    (db() as unknown as Kysely<unknown>).executeQuery<StoredPassage>(query as never).then((found) => found.rows);

  const worded = async (terms: readonly RankedTerm[], narrowing: Narrowing, total: number) => {
    const wanted = terms.map((one) => ({ ...one, weight: Math.log(1 + total / (1 + one.passages)) }));
    const few = telling(wanted);
    // Where even the rarest is everywhere, those that have it together with the next one promise most.
    const isCommon = (few[0]?.passages ?? 0) > WEIGHED;
    const pair = wanted.toSorted((a, b) => a.passages - b.passages).slice(0, 2);
    const first = await rows(
      isCommon
        ? dialect().passagesWith(name, pair, narrowing, CANDIDATES, true)
        : dialect().passagesWith(name, few, narrowing, CANDIDATES),
    );
    if (first.length >= CANDIDATES / 3 || (few.length === wanted.length && !isCommon)) return first;
    return rows(dialect().passagesWith(name, wanted, narrowing, CANDIDATES));
  };
  /** What stands before and behind those that promise most: an answer often shares no word with its question. */
  const beside = async (found: readonly StoredPassage[], narrowing: Narrowing) => {
    const known = new Set(found.map(({ seq }) => Number(seq)));
    const near = found.slice(0, WITH_NEIGHBOURS).flatMap(({ seq }) => BESIDE.map(([way]) => Number(seq) + way));
    const missing = [...new Set(near)].filter((seq) => !known.has(seq));
    return missing.length === 0 ? [] : rows(dialect().passagesAt(name, missing, narrowing));
  };
  /** The ids of what may be found at all, where that is little. */
  const inside = async (narrowing: Narrowing, most: number): Promise<readonly string[] | undefined> => {
    const { labels, since, until } = narrowing;
    if (labels.length === 0 && since === undefined && until === undefined) return undefined;
    const query = dialect().idsInside(name, narrowing, most + 1);
    const found = (await (db() as unknown as Kysely<unknown>).executeQuery(query)).rows;
    return found.length > most ? undefined : found.map(({ id }) => id);
  };
  const candidatesOf = async (query: TextQuery, terms: readonly RankedTerm[], narrowing: Narrowing, total: number) => {
    const { vector, mode } = query;
    const isWordless = vector !== undefined && mode === "vector";
    const hasWords = !isWordless && terms.length > 0;
    const few = await inside(narrowing, vector ? FEW : LOOKED_AT_WHOLE);
    const byTerms = !hasWords
      ? []
      : few && few.length <= LOOKED_AT_WHOLE
        ? await rows(dialect().passagesOf(name, few, narrowing))
        : await worded(terms, narrowing, total);
    const byWords = [...byTerms, ...(few && few.length <= LOOKED_AT_WHOLE ? [] : await beside(byTerms, narrowing))];
    if (!vector || mode === "text") return byWords.map((row) => candidateOf(row));
    const near = await vectors.nearest(vector.space, vector.values, { ids: few, narrowing });
    const known = new Set(byWords.map(({ id }) => id));
    const others = [...near.keys()].filter((id) => !known.has(id));
    const byVector = others.length === 0 ? [] : await rows(dialect().passagesOf(name, others, narrowing));
    const missing = [...known].filter((id) => !near.has(id));
    const more = await vectors.similarities(vector.space, missing, vector.values);
    return [...byWords, ...byVector].map((row) => candidateOf(row, near.get(row.id) ?? more.get(row.id)));
  };

  return {
    async replacing(group, entries) {
      const batches = entries.length === 0 ? [] : await thread.ask<"analyse">({ kind: "analyse", group, entries });
      counts.forget();
      return [
        ...dialect().removing(
          name,
          [group],
          entries.map(({ id }) => id),
        ),
        ...batches.flatMap((batch) => dialect().adding(name, group, batch)),
      ];
    },
    async removing(groups) {
      counts.forget();
      return dialect().removing(name, groups);
    },
    async search(query) {
      const { text, limit, mode = "hybrid", minScore = 0, perGroup = limit, vector } = query;
      const { terms, total } = await counts.of(
        withOthers(queryTerms(text).slice(0, MAX_TERMS), await variantsFor(text)),
      );
      const narrowing = narrowingOf(query);
      const candidates = await candidatesOf(query, terms, narrowing, total);
      if (candidates.length === 0) return [];
      const isModel = vector !== undefined;
      const hits = await thread.ask<"rank">({
        kind: "rank",
        request: {
          question: text,
          terms,
          total,
          candidates,
          mode,
          isModel,
          vectorWeight: isModel ? MODEL_WEIGHT : LOCAL_WEIGHT,
          limit: Math.min(limit, MAX_LIMIT),
          minScore,
          perGroup,
        },
      });
      return hits satisfies readonly TextHit[];
    },
    async entriesOf(group) {
      const found = await db()
        .selectFrom(tableOf(name))
        .select(["id", "place", "title", "body"])
        .where("grp", "=", group)
        .orderBy("place")
        .execute();
      return found.map(({ id, place, title, body }) => ({ id, place, title, text: body }));
    },
    async withoutVector(space, limit) {
      const ids = await vectors.missing(space, limit);
      const found = await rows(dialect().passagesOf(name, ids, EVERYTHING));
      return found.map(({ id, title, body }) => ({ id, title, text: body }));
    },
    keepingVectors: (space, kept) => vectors.keeping(space, kept),
  };
}

/** The rarest terms, as many as together are in no more passages than may be weighed; at least one. */
function telling(terms: readonly (WantedTerm & RankedTerm)[]): readonly (WantedTerm & RankedTerm)[] {
  const rarest = terms.toSorted((a, b) => a.passages - b.passages);
  let sum = 0;
  return rarest.filter(({ passages }, index) => {
    sum += passages;
    return index === 0 || sum <= WEIGHED;
  });
}

const EVERYTHING: Narrowing = { labels: [], since: undefined, until: undefined };

function narrowingOf({ labels = [], since, until }: TextQuery): Narrowing {
  return { labels: labels.map((some) => some.map(labelTerm)), since, until };
}

function candidateOf({ seq, id, grp, place, title, body, said_at }: StoredPassage, similarity?: number): Candidate {
  const passage = { seq: Number(seq), id, group: grp, place, title, text: body, time: Number(said_at) };
  return similarity === undefined ? passage : { ...passage, similarity };
}

type WantedConcept = QueryTerm & Pick<RankedTerm, "concept" | "isSame">;

/** The asked terms, and behind them other forms of their characters and other words for the same. */
function withOthers(asked: readonly QueryTerm[], variants: Variants): readonly WantedConcept[] {
  const own = asked.map((one, concept) => ({ ...one, concept }));
  const known = new Set(asked.map(({ term }) => term));
  const unknown = (terms: Iterable<string>) => [...terms].filter((other) => !known.has(other) && known.add(other));
  const forms = own.flatMap(({ term, concept, isPrefix }) =>
    unknown(variants(term)).map((other) => ({ term: other, isPrefix, concept, isSame: true as const })),
  );
  const synonyms = own.flatMap(({ term, concept, isPrefix }) =>
    isPrefix ? [] : unknown(synonymsOf(term)).map((other) => ({ term: other, isPrefix: false, concept })),
  );
  return [...own, ...[...forms, ...synonyms].slice(0, MAX_SYNONYMS)];
}

/** In how many passages terms are; known for some seconds, because the commonest take longest to count. */
function createCounts({ name, database, dialect, now }: Pick<SpaceParts, "name" | "database" | "dialect" | "now">) {
  const known = new Map<string, number>();
  let total: number | undefined;
  let since = 0;
  const forget = () => {
    known.clear();
    total = undefined;
  };
  return {
    forget,
    async of(
      asked: readonly WantedConcept[],
    ): Promise<{ readonly terms: readonly RankedTerm[]; readonly total: number }> {
      if (now() - since > COUNTS_MS || known.size > MAX_COUNTS) {
        forget();
        since = now();
      }
      const db = database().tables<Entries>();
      if (total === undefined) {
        const query = db.selectFrom(tableOf(name)).select(({ fn }) => fn.countAll<number>().as("total"));
        total = Number((await query.executeTakeFirst())?.total ?? 0);
      }
      const unknown = asked.map(({ term }) => term).filter((term) => !known.has(term));
      if (unknown.length > 0) {
        const { rows } = await db.executeQuery(dialect().counts(name, unknown));
        for (const { term, passages } of rows) known.set(term, Number(passages));
      }
      const terms = asked.map((one) => ({ ...one, passages: known.get(one.term) ?? 0 }));
      return { terms, total };
    },
  };
}

import type { Database, TextHit, TextQuery, TextSpace } from "@parley/core";
import { type QueryTerm, queryTerms, synonymsOf } from "@parley/core/text";
import type { Kysely } from "kysely";
import { type ExpandVariants, loadVariants } from "./chinese-variants.ts";
import { type Dialect, type SearchFilter, type StoredPassage, toTableName, type WeightedTerm } from "./dialect.ts";
import type { IndexThread } from "./index-thread.ts";
import { toLabelTerm } from "./labels.ts";
import { NEIGHBOR_WEIGHTS, type RankCandidate, type RankedTerm } from "./rank.ts";
import { translateTerms } from "./translate-terms.ts";
import type { VectorStore } from "./vectors.ts";

/** Maximum number of passages that are read as a whole. */
const MAX_CANDIDATES = 80;
/** Number of best passages whose neighbours are read too. */
const MAX_WITH_NEIGHBORS = 12;
/** Maximum passages scored for one question: terms in more passages only affect the order. */
const MAX_WEIGHED = 6_000;
const MAX_TERMS = 32;
const MAX_SYNONYMS = 64;
const MAX_LIMIT = 500;
/** Weight of a model's vector beside the words. */
const MODEL_WEIGHT = 0.6;
const LOCAL_WEIGHT = 0.3;
/** Up to this number of eligible entries all are scanned, because selecting candidates would take longer. */
const MAX_SCANNED_WHOLE = 200;
/** Up to this number, eligible entries are compared one by one; beyond it, eligibility is checked after the search. */
const MAX_COMPARED_DIRECTLY = 5_000;
const COUNTS_TTL_MS = 10_000;
const MAX_CACHED_COUNTS = 20_000;

export interface TextSpaceDeps {
  readonly name: string;
  readonly database: () => Database;
  readonly dialect: () => Dialect;
  readonly thread: IndexThread;
  readonly vectors: VectorStore;
  readonly now: () => number;
}

interface EntryTables {
  readonly [table: string]: {
    readonly id: string;
    readonly grp: string;
    readonly place: number;
    readonly title: string;
    readonly body: string;
  };
}

export function createTextSpace(deps: TextSpaceDeps): Omit<TextSpace, "prepare"> {
  const { name, database, dialect, thread, vectors, now } = deps;
  const counts = createTermCounts({ name, database, dialect, now });
  const db = () => database().tables<EntryTables>();
  const queryPassages = (query: ReturnType<Dialect["findByTerms"]>) =>
    (db() as unknown as Kysely<unknown>).executeQuery<StoredPassage>(query as never).then((found) => found.rows);

  const findByWords = async (terms: readonly RankedTerm[], filter: SearchFilter, total: number) => {
    const wanted = terms.map((one) => ({ ...one, weight: Math.log(1 + total / (1 + one.passages)) }));
    const few = selectRareTerms(wanted);
    // If even the rarest term is common, passages that also contain the next one are the most promising.
    const isCommon = (few[0]?.passages ?? 0) > MAX_WEIGHED;
    const pair = wanted.toSorted((a, b) => a.passages - b.passages).slice(0, 2);
    const first = await queryPassages(
      isCommon
        ? dialect().findByTerms(name, pair, filter, MAX_CANDIDATES, true)
        : dialect().findByTerms(name, few, filter, MAX_CANDIDATES),
    );
    if (first.length >= MAX_CANDIDATES / 3 || (few.length === wanted.length && !isCommon)) return first;
    return queryPassages(dialect().findByTerms(name, wanted, filter, MAX_CANDIDATES));
  };
  /** Finds neighbours of the best passages: an answer often shares no word with its question. */
  const findNeighbors = async (found: readonly StoredPassage[], filter: SearchFilter) => {
    const known = new Set(found.map(({ seq }) => Number(seq)));
    const near = found
      .slice(0, MAX_WITH_NEIGHBORS)
      .flatMap(({ seq }) => NEIGHBOR_WEIGHTS.map(([way]) => Number(seq) + way));
    const missing = [...new Set(near)].filter((seq) => !known.has(seq));
    return missing.length === 0 ? [] : queryPassages(dialect().findBySeqs(name, missing, filter));
  };
  /** Returns the ids of all eligible entries; undefined for more than `most`, and without a filter. */
  const findIdsInside = async (filter: SearchFilter, most: number): Promise<readonly string[] | undefined> => {
    const { labels, since, until } = filter;
    if (labels.length === 0 && since === undefined && until === undefined) return undefined;
    const query = dialect().findIdsInside(name, filter, most + 1);
    const found = (await (db() as unknown as Kysely<unknown>).executeQuery(query)).rows;
    return found.length > most ? undefined : found.map(({ id }) => id);
  };
  const findCandidates = async (
    query: TextQuery,
    terms: readonly RankedTerm[],
    filter: SearchFilter,
    total: number,
  ) => {
    const { vector, mode } = query;
    const isWordless = vector !== undefined && mode === "vector";
    const hasWords = !isWordless && terms.length > 0;
    const few = await findIdsInside(filter, vector ? MAX_COMPARED_DIRECTLY : MAX_SCANNED_WHOLE);
    const byTerms = !hasWords
      ? []
      : few && few.length <= MAX_SCANNED_WHOLE
        ? await queryPassages(dialect().findByIds(name, few, filter))
        : await findByWords(terms, filter, total);
    const byWords = [
      ...byTerms,
      ...(few && few.length <= MAX_SCANNED_WHOLE ? [] : await findNeighbors(byTerms, filter)),
    ];
    if (!vector || mode === "text") return byWords.map((row) => toCandidate(row));
    const near = await vectors.findNearest(vector.space, vector.values, { ids: few, filter });
    const known = new Set(byWords.map(({ id }) => id));
    const others = [...near.keys()].filter((id) => !known.has(id));
    const byVector = others.length === 0 ? [] : await queryPassages(dialect().findByIds(name, others, filter));
    const missing = [...known].filter((id) => !near.has(id));
    const more = await vectors.getSimilarities(vector.space, missing, vector.values);
    return [...byWords, ...byVector].map((row) => toCandidate(row, near.get(row.id) ?? more.get(row.id)));
  };

  return {
    async replacing(group, entries) {
      const batches = entries.length === 0 ? [] : await thread.run<"analyse">({ kind: "analyse", group, entries });
      counts.forget();
      return [
        ...dialect().removeWrites(
          name,
          [group],
          entries.map(({ id }) => id),
        ),
        ...batches.flatMap((batch) => dialect().addWrites(name, group, batch)),
      ];
    },
    async removing(groups) {
      counts.forget();
      return dialect().removeWrites(name, groups);
    },
    async search(query) {
      const { text, limit, mode = "hybrid", minScore = 0, perGroup = limit, vector } = query;
      const { terms, total } = await counts.of(
        expandTerms(text, queryTerms(text).slice(0, MAX_TERMS), await loadVariants(text)),
      );
      const filter = toSearchFilter(query);
      const candidates = await findCandidates(query, terms, filter, total);
      if (candidates.length === 0) return [];
      const isModel = vector !== undefined;
      const hits = await thread.run<"rank">({
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
        .selectFrom(toTableName(name))
        .select(["id", "place", "title", "body"])
        .where("grp", "=", group)
        .orderBy("place")
        .execute();
      return found.map(({ id, place, title, body }) => ({ id, place, title, text: body }));
    },
    async withoutVector(space, limit) {
      const ids = await vectors.findMissingIds(space, limit);
      const found = await queryPassages(dialect().findByIds(name, ids, NO_FILTER));
      return found.map(({ id, title, body }) => ({ id, title, text: body }));
    },
    keepingVectors: (space, storedVectors) => vectors.storeWrites(space, storedVectors),
  };
}

/** Returns the rarest terms whose passages stay below that maximum, but at least one. */
function selectRareTerms(terms: readonly (WeightedTerm & RankedTerm)[]): readonly (WeightedTerm & RankedTerm)[] {
  const rarest = terms.toSorted((a, b) => a.passages - b.passages);
  let sum = 0;
  return rarest.filter(({ passages }, index) => {
    sum += passages;
    return index === 0 || sum <= MAX_WEIGHED;
  });
}

const NO_FILTER: SearchFilter = { labels: [], since: undefined, until: undefined };

function toSearchFilter({ labels = [], since, until }: TextQuery): SearchFilter {
  return { labels: labels.map((some) => some.map(toLabelTerm)), since, until };
}

function toCandidate({ seq, id, grp, place, title, body, said_at }: StoredPassage, similarity?: number): RankCandidate {
  const passage = { seq: Number(seq), id, group: grp, place, title, text: body, time: Number(said_at) };
  return similarity === undefined ? passage : { ...passage, similarity };
}

type QueryConcept = QueryTerm & Pick<RankedTerm, "concept" | "isSame">;

/** Returns the query terms, followed by spelling variants, synonyms, and words of the other language. */
function expandTerms(question: string, asked: readonly QueryTerm[], variants: ExpandVariants): readonly QueryConcept[] {
  const own = asked.map((one, concept) => ({ ...one, concept }));
  const known = new Set(asked.map(({ term }) => term));
  const addUnknown = (terms: Iterable<string>) => [...terms].filter((other) => !known.has(other) && known.add(other));
  const forms = own.flatMap(({ term, concept, isPrefix }) =>
    addUnknown(variants(term)).map((other) => ({ term: other, isPrefix, concept, isSame: true as const })),
  );
  const synonyms = own.flatMap(({ term, concept, isPrefix }) =>
    isPrefix ? [] : addUnknown(synonymsOf(term)).map((other) => ({ term: other, isPrefix: false, concept })),
  );
  const translated = translateTerms(question, asked).flatMap(({ concept, terms }) =>
    addUnknown(terms).map((other) => ({ term: other, isPrefix: false, concept })),
  );
  return [...own, ...[...forms, ...synonyms].slice(0, MAX_SYNONYMS), ...translated.slice(0, MAX_SYNONYMS)];
}

/** Counts the passages of terms; cached for some seconds, because frequent terms take longest to count. */
function createTermCounts({
  name,
  database,
  dialect,
  now,
}: Pick<TextSpaceDeps, "name" | "database" | "dialect" | "now">) {
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
      asked: readonly QueryConcept[],
    ): Promise<{ readonly terms: readonly RankedTerm[]; readonly total: number }> {
      if (now() - since > COUNTS_TTL_MS || known.size > MAX_CACHED_COUNTS) {
        forget();
        since = now();
      }
      const db = database().tables<EntryTables>();
      if (total === undefined) {
        const query = db.selectFrom(toTableName(name)).select(({ fn }) => fn.countAll<number>().as("total"));
        total = Number((await query.executeTakeFirst())?.total ?? 0);
      }
      const unknown = asked.map(({ term }) => term).filter((term) => !known.has(term));
      if (unknown.length > 0) {
        const { rows } = await db.executeQuery(dialect().countTerms(name, unknown));
        for (const { term, passages } of rows) known.set(term, Number(passages));
      }
      const terms = asked.map((one) => ({ ...one, passages: known.get(one.term) ?? 0 }));
      return { terms, total };
    },
  };
}

import type { SearchMode, TextHit, TextReasons } from "@parley/core";
import { cosine, localVector, termsOf, vectorOf } from "@parley/core/text";

/** A term of the question, with the number of passages that contain it. */
export interface RankedTerm {
  readonly term: string;
  readonly isPrefix: boolean;
  readonly passages: number;
  /** Index of the query term that this one stands for; its own for a query term. Query terms come first. */
  readonly concept: number;
  /** True for the queried term in other characters, which counts as that term. */
  readonly isSame?: true;
}

export interface RankCandidate {
  /** Number of the passage; neighbours have adjacent numbers. */
  readonly seq: number;
  readonly id: string;
  readonly group: string;
  readonly place: number;
  readonly title: string;
  readonly text: string;
  readonly time: number;
  /** Cosine similarity by a model's vectors; undefined if the passage has no vector in this space. */
  readonly similarity?: number;
}

export interface RankRequest {
  readonly question: string;
  readonly terms: readonly RankedTerm[];
  /** Number of all passages. */
  readonly total: number;
  readonly candidates: readonly RankCandidate[];
  readonly mode: SearchMode;
  /** Weight of the vector in a hybrid score; the rest is the weight of the words. */
  readonly vectorWeight: number;
  /** True when the vectors of the candidates come from a model. */
  readonly isModel: boolean;
  readonly limit: number;
  readonly minScore: number;
  readonly perGroup: number;
}

const TITLE_WEIGHT = 3;
const K1 = 1.2;
const B = 0.5;
const MAX_NEAR_DISTANCE = 3;
/** Weights of a word in a neighbouring passage, by distance. */
export const NEIGHBOR_WEIGHTS = [
  [-2, 0.25],
  [-1, 0.5],
  [1, 0.5],
  [2, 0.25],
] as const;
/** Additional factor for a neighbour of another group within the hour, which is often on the same topic. */
const SAME_HOUR_WEIGHT = 0.75;
const HOUR_MS = 3_600_000;
const SPEAKER_BOOST = 1.5;
const TIME_BOOST = 1.2;
/** Weight of a synonym. */
const SYNONYM_WEIGHT = 0.5;
const ASKS_WHEN_PATTERN =
  /\bwhen\b|\bwhat (?:time|date|day|month|year)\b|\bhow long\b|什么时候|何时|几月|几号|哪年|哪一年|哪天|哪一天|多久/iu;
const ASKS_NOW_PATTERN =
  /\b(?:now|currently|current|still|latest|these days|nowadays|today)\b|现在|目前|如今|最新|最近|当前/iu;
const NAMES_TIME_PATTERN =
  /\d|\b(?:yesterday|today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|week|month|year)\b|年|月|日|天|周|昨|今|明/iu;

const SPEAKER_LINE = /^\s*([\p{L}][\p{L}\p{M}'’. -]{0,40}?)\s*[:：]/u;

type Boost = TextReasons["boosts"][number];

interface ScannedPassage {
  readonly candidate: RankCandidate;
  readonly words: number;
  readonly counts: ReadonlyMap<string, number>;
  /** Occurrences in the title, by index of the query term. */
  readonly inTitle: readonly number[];
  readonly places: readonly (readonly number[])[];
  readonly marks: readonly (readonly [number, number])[];
}

/** Ranks candidates by relevance, with the reasons. */
export function rank(request: RankRequest): readonly TextHit[] {
  const { candidates, mode, vectorWeight, isModel, terms } = request;
  const scanned = candidates.map((candidate) => scanPassage(candidate, terms));
  const wordScores = scoreWords(scanned, request);
  const best = Math.max(...wordScores.map(({ score }) => score), 0);
  const question = isModel ? undefined : localVector(request.question);
  const hits = scanned.map(({ candidate, counts, marks }, index) => {
    const { score: words, terms: found, boosts } = wordScores[index] as WordScore;
    // Without a common word, hashed words are similar only by chance.
    const compared = question && words > 0 ? cosine(question, vectorOf(counts)) : candidate.similarity;
    const similarity = Math.max(0, compared ?? 0);
    const textScore = best === 0 ? 0 : words / best;
    const hybrid = vectorWeight * similarity + (1 - vectorWeight) * textScore;
    const score = mode === "hybrid" ? hybrid : mode === "text" ? textScore : similarity;
    const { similarity: _similarity, seq: _seq, ...passage } = candidate;
    return {
      ...passage,
      score: roundScore(score),
      similarity: roundScore(similarity),
      textScore: roundScore(textScore),
      why: { terms: found, boosts, ...(compared !== undefined && ({ vector: isModel ? "model" : "local" } as const)) },
      marks: mode === "vector" ? [] : marks,
    };
  });
  return selectHits(hits, request);
}

function selectHits(hits: readonly TextHit[], { limit, minScore, perGroup }: RankRequest): readonly TextHit[] {
  const taken = new Map<string, number>();
  const sorted = hits
    .filter(({ score }) => score > 0 && score >= minScore)
    .toSorted((a, b) => b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1));
  const selected: TextHit[] = [];
  for (const hit of sorted) {
    const count = taken.get(hit.group) ?? 0;
    if (count >= perGroup) continue;
    taken.set(hit.group, count + 1);
    selected.push(hit);
    if (selected.length === limit) break;
  }
  return selected;
}

/** Counts and locates the query terms in a passage, in one pass. */
function scanPassage(candidate: RankCandidate, asked: readonly RankedTerm[]): ScannedPassage {
  const exact = new Map(asked.map(({ term }, index) => [term, index]));
  const prefixes = asked.flatMap(({ term, isPrefix }, index) => (isPrefix ? [{ term, index }] : []));
  const findTermIndex = (term: string) => exact.get(term) ?? prefixes.find((one) => term.startsWith(one.term))?.index;
  const counts = new Map<string, number>();
  const places: number[][] = asked.map(() => []);
  const inTitle = asked.map(() => 0);
  const marks: [number, number][] = [];
  let words = 0;
  for (const { term, at, length, isCommon } of termsOf(candidate.text)) {
    words += 1;
    counts.set(term, (counts.get(term) ?? 0) + (isCommon ? 0.2 : 1));
    const index = findTermIndex(term);
    if (index === undefined) continue;
    places[index]?.push(words);
    marks.push([at, at + length]);
  }
  for (const { term } of termsOf(candidate.title)) {
    const index = findTermIndex(term);
    if (index !== undefined) inTitle[index] = (inTitle[index] as number) + 1;
  }
  return { candidate, words, counts, inTitle, places, marks: mergeMarks(marks) };
}

interface WordScore {
  readonly score: number;
  readonly terms: TextReasons["terms"];
  readonly boosts: readonly Boost[];
}

/** Scores passages with BM25 over title, body and neighbours, with boosts for word order and the like. */
function scoreWords(scanned: readonly ScannedPassage[], request: RankRequest): readonly WordScore[] {
  const { terms, total, question } = request;
  const average = scanned.reduce((sum, { words }) => sum + words, 0) / Math.max(1, scanned.length) || 1;
  const concepts = terms.filter(({ concept }, index) => concept === index).length;
  const rarity = terms.map(({ passages, concept }, index) => {
    const among = passages + (concept === index ? 0 : (terms[concept]?.passages ?? 0));
    return Math.log(1 + (Math.max(total, among) - among + 0.5) / (among + 0.5));
  });
  const all = rarity.slice(0, concepts).reduce((sum, one) => sum + one, 0) || 1;
  const asksWhen = ASKS_WHEN_PATTERN.test(question);
  const newest = ASKS_NOW_PATTERN.test(question) ? getRecencyBoosts(scanned) : undefined;
  const bySeq = new Map(scanned.map((one) => [one.candidate.seq, one]));
  const plain = scanned.map(({ candidate, words, inTitle, places }) => {
    const norm = K1 * (1 - B + (B * words) / average);
    const near = NEIGHBOR_WEIGHTS.flatMap(([way, worth]) => {
      const one = bySeq.get(candidate.seq + way);
      if (!one) return [];
      const isOfGroup = one.candidate.group === candidate.group;
      const isNear = isOfGroup
        ? one.candidate.place === candidate.place + way
        : Math.abs(one.candidate.time - candidate.time) <= HOUR_MS;
      if (!isNear) return [];
      return [{ places: one.places, worth: isOfGroup ? worth : worth * SAME_HOUR_WEIGHT }];
    });
    const found = terms.map(({ term, concept, isSame }, index) => {
      const factor = concept === index || isSame ? 1 : SYNONYM_WEIGHT;
      const own = TITLE_WEIGHT * (inTitle[index] ?? 0) + (places[index]?.length ?? 0);
      const beside = near.reduce((sum, one) => sum + ((one.places[index]?.length ?? 0) > 0 ? one.worth : 0), 0);
      const count = own + beside;
      const share = factor * (own > 0 ? 1 : Math.min(1, beside));
      const weight = (factor * (rarity[index] as number) * count * (K1 + 1)) / (count + norm);
      return { term, concept, weight, own, share: count > 0 ? share : 0, inTitle: (inTitle[index] ?? 0) > 0 };
    });
    // A passage without a word of the question is no answer, even if its neighbours have one.
    const isFound = found.some(({ own }) => own > 0);
    // Of synonyms only the best one counts, because a passage with all of them has one meaning.
    const best = isFound ? pickBestTerms(found, concepts) : [];
    return {
      sum: best.reduce((sum, one) => sum + (one?.weight ?? 0), 0),
      coverage: best.reduce((sum, one, concept) => sum + (one?.share ?? 0) * (rarity[concept] as number), 0) / all,
      terms: best
        .flatMap((one) => (one && one.weight > 0 ? [one] : []))
        .map(({ term, weight, inTitle: is }) => ({ term, weight: roundScore(weight), inTitle: is }))
        .toSorted((a, b) => b.weight - a.weight),
    };
  });
  const asked = new Set(terms.map(({ term }) => term));
  return scanned.map((one, index) => {
    const { sum, coverage, terms: found } = plain[index] as (typeof plain)[number];
    const { text, time } = one.candidate;
    const boosts: Boost[] = [
      { name: "coverage" as const, factor: 0.7 + 0.3 * coverage },
      { name: "phrase" as const, factor: 1 + 0.25 * getProximity(one.places.slice(0, concepts), rarity) },
      { name: "speaker" as const, factor: isSpokenByAsked(text, asked) ? SPEAKER_BOOST : 1 },
      {
        name: "time" as const,
        factor: (asksWhen && NAMES_TIME_PATTERN.test(text) ? TIME_BOOST : 1) * (newest?.get(time) ?? 1),
      },
    ].map(({ name, factor }) => ({ name, factor: roundScore(factor) }));
    return {
      score: boosts.reduce((product, { factor }) => product * factor, sum),
      terms: found,
      boosts: boosts.filter(({ factor }) => factor !== 1),
    };
  });
}

interface FoundTerm {
  readonly term: string;
  readonly concept: number;
  readonly weight: number;
  readonly share: number;
  /** Occurrences in the passage itself. */
  readonly own: number;
  readonly inTitle: boolean;
}

function pickBestTerms(found: readonly FoundTerm[], concepts: number): readonly (FoundTerm | undefined)[] {
  const best: (FoundTerm | undefined)[] = Array.from({ length: concepts });
  for (const one of found) if (one.weight > (best[one.concept]?.weight ?? 0)) best[one.concept] = one;
  return best;
}

/** Returns the share of adjacent query terms that are near each other in the passage too. */
function getProximity(places: readonly (readonly number[])[], rarity: readonly number[]): number {
  let near = 0;
  let all = 0;
  for (let index = 1; index < places.length; index += 1) {
    const weight = Math.min(rarity[index - 1] as number, rarity[index] as number);
    all += weight;
    const before = places[index - 1] ?? [];
    const isNear = places[index]?.some((at) => before.some((other) => at > other && at - other <= MAX_NEAR_DISTANCE));
    if (isNear) near += weight;
  }
  return all === 0 ? 0 : near / all;
}

/** True for a line such as "Ann: I'm off" by a person whom the query names. */
function isSpokenByAsked(text: string, asked: ReadonlySet<string>): boolean {
  const [, speaker] = SPEAKER_LINE.exec(text) ?? [];
  return speaker !== undefined && termsOf(speaker).some(({ term }) => asked.has(term));
}

/** Returns the recency boosts for a query about the present: from 1 for the oldest candidate to 1.15 for the newest. */
function getRecencyBoosts(scanned: readonly ScannedPassage[]): ReadonlyMap<number, number> {
  const times = [...new Set(scanned.map(({ candidate }) => candidate.time))].sort((a, b) => a - b);
  return new Map(times.map((time, index) => [time, times.length < 2 ? 1 : 1 + (0.15 * index) / (times.length - 1)]));
}

/** Merges marks that touch or overlap. */
function mergeMarks(marks: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const joined: [number, number][] = [];
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import type { IndexedPassage, Write } from "@parley/core";
import type { Compilable, Kysely } from "kysely";

/** A passage as stored. */
export interface PassageRow {
  readonly id: string;
  readonly place: number;
  readonly title: string;
  readonly body: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** Index terms of a passage, separated by spaces. */
export interface TermsRow {
  readonly id: string;
  readonly title_terms: string;
  readonly body_terms: string;
  readonly label_terms: string;
}

/** Passages and their terms as JSON lists, as the thread returns them for a statement. */
export interface IndexedRows {
  readonly passages: string;
  readonly terms: string;
}

export interface StoredPassage {
  /** Increases in the order of storage, so that the passages of a group are adjacent. */
  readonly seq: number | string;
  readonly id: string;
  readonly grp: string;
  readonly place: number;
  readonly title: string;
  readonly body: string;
  readonly said_at: number | string;
}

export interface SearchFilter {
  /** Terms of labels; an entry must have one term of each list. */
  readonly labels: readonly (readonly string[])[];
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export interface WeightedTerm {
  readonly term: string;
  readonly isPrefix: boolean;
  /** Estimated score of a passage with this term. */
  readonly weight: number;
}

/** Stores and searches words in the way of one database engine. */
export interface Dialect {
  create(db: Kysely<unknown>, name: string): Promise<void>;
  addWrites(name: string, group: string, rows: IndexedRows): readonly Write[];
  /** Returns the writes that remove groups; vectors of `retained` ids stay, since these entries are added again. */
  removeWrites(name: string, groups: readonly string[], retained?: readonly string[]): readonly Write[];
  /** Returns the most promising passages with any of the terms, or with all of them. */
  findByTerms(
    name: string,
    terms: readonly WeightedTerm[],
    filter: SearchFilter,
    limit: number,
    isAll?: boolean,
  ): Compilable<StoredPassage>;
  /** Returns the existing passages of these ids that match the filter. */
  findByIds(name: string, ids: readonly string[], filter: SearchFilter): Compilable<StoredPassage>;
  /** Returns the ids of matching passages, at most `limit`. */
  findIdsInside(name: string, filter: SearchFilter, limit: number): Compilable<{ readonly id: string }>;
  /** Returns the existing passages of these numbers that match the filter. */
  findBySeqs(name: string, seqs: readonly number[], filter: SearchFilter): Compilable<StoredPassage>;
  /** Returns the number of passages with each term; terms in none may be missing. */
  countTerms(
    name: string,
    terms: readonly string[],
  ): Compilable<{ readonly term: string; readonly passages: number | string }>;
  /** Reads whole passages with their terms, in order, after this number. */
  readStored(name: string, after: number, limit: number): Promise<readonly IndexedPassage[]>;
  /** Returns writes that restore passages with their numbers, from a JSON list. */
  restoreWrites(name: string, passages: string): readonly Write[];
}

export const toTableName = (name: string): string => `text_${name}`;

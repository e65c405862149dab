import type { ItemFailure } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Passage } from "../../text/passages.ts";
import type { Database, Write } from "./database.ts";

/** A searchable passage. */
export interface TextEntry {
  readonly id: string;
  /** Group the entry belongs to and is removed with: a document, a memory. */
  readonly group: string;
  /** Position in the group, from 0. */
  readonly place: number;
  /** Title or headings of the entry; a word in it counts three times. */
  readonly title: string;
  readonly text: string;
  /** Time of the statement or fact in milliseconds; of equal hits the newer one comes first. */
  readonly time: number;
  /** Labels to filter a search: `person:imA:user:42`, `base:default`. Matched as a whole. */
  readonly labels?: readonly string[];
}

/** Modes of text search. */
export const SEARCH_MODES = ["hybrid", "vector", "text"] as const;
/** Search mode: by meaning, by words or by both. */
export type SearchMode = (typeof SEARCH_MODES)[number];

/** A text search. */
export interface TextQuery {
  readonly text: string;
  readonly limit: number;
  /** Default `hybrid`. */
  readonly mode?: SearchMode;
  /** Minimum score of hits, from 0 to 1. */
  readonly minScore?: number;
  /** Maximum hits of one group. */
  readonly perGroup?: number;
  /** Lists of labels; an entry must have at least one label of each list. */
  readonly labels?: readonly (readonly string[])[];
  /** Time range in milliseconds: `since` inclusive, `until` exclusive. */
  readonly since?: number;
  readonly until?: number;
  /** The question as a vector of a model; without one, local vectors are compared. `space` as of `vectorSpaceOf`: others are not compared. */
  readonly vector?: { readonly space: string; readonly values: Float32Array };
}

/** A search hit with its explanation. */
export interface TextHit extends Omit<TextEntry, "labels"> {
  /** Score from 0 to 1, with 4 decimals. */
  readonly score: number;
  /** The cosine of question and passage; below 0 counts as 0. */
  readonly similarity: number;
  /** Word score divided by that of the best hit. */
  readonly textScore: number;
  readonly why: TextReasons;
  /** Ranges of the question's words in `text`, in order: start and exclusive end in UTF-16 units. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

/** Explanation of a search hit. */
export interface TextReasons {
  /** Matching terms of the question with their share of the word score, largest first. */
  readonly terms: readonly { readonly term: string; readonly weight: number; readonly inTitle: boolean }[];
  /** Factors applied to the word score, such as `phrase`. */
  readonly boosts: readonly { readonly name: "phrase" | "coverage" | "time" | "speaker"; readonly factor: number }[];
  /** Kind of the compared vector; undefined when the entry has none that can be compared. */
  readonly vector?: "local" | "model";
}

/** Entries of one kind, in separate tables; searches never mix spaces. */
export interface TextSpace {
  /** Creates the tables as the first use does, for the owner's `StoredTables`. */
  prepare(): Promise<void>;
  /**
   * Returns the writes that replace the entries of a group, for a transaction of the caller; the entries are found once
   * it is committed. Entries with an unchanged id retain their vectors. Texts are processed off the event loop.
   */
  replacing(group: string, entries: readonly Omit<TextEntry, "group">[]): Promise<readonly Write[]>;
  /** Returns the writes that remove whole groups. */
  removing(groups: readonly string[]): Promise<readonly Write[]>;
  /** Searches the entries; the best hit comes first. Neither statements nor scoring run on the event loop. */
  search(query: TextQuery): Promise<readonly TextHit[]>;
  /** Returns the entries of a group, in order. */
  entriesOf(group: string): Promise<readonly Pick<TextEntry, "id" | "place" | "title" | "text">[]>;
  /** Returns entries without a vector of the model's space, at most `limit`. */
  withoutVector(space: string, limit: number): Promise<readonly Pick<TextEntry, "id" | "title" | "text">[]>;
  /** Returns the statements that store a model's vectors for existing entries. */
  keepingVectors(space: string, vectors: ReadonlyMap<string, Float32Array>): readonly Write[];
}

/**
 * The text index: words, dates and vectors. Words are searchable once their transaction is committed. Local vectors need no model; model
 * vectors are computed by the owner of a space and compared only with those of the same model and address.
 */
export interface TextIndex {
  /** Cuts a text along its headings into passages of at most 500 characters, off the event loop. */
  passages(text: string): Promise<readonly Passage[]>;
  /** Returns a space. Its name is in snake case; its tables are created at first use. */
  space(name: string): TextSpace;
  /** Returns the method of comparing model vectors here. */
  comparing(): Promise<VectorComparing>;
  /** Returns the index tables of a database, also of another one, for copying its rows. */
  stored(database: Database): StoredTexts;
}

/** A passage with its search terms, the same on every engine. */
export interface IndexedPassage {
  /** Counts up in the order in which passages were stored. */
  readonly seq: number;
  readonly id: string;
  readonly grp: string;
  readonly place: number;
  readonly title: string;
  readonly body: string;
  readonly said_at: number;
  /** Title terms separated by spaces, each as often as it occurs, in any order. */
  readonly title_terms: string;
  readonly body_terms: string;
  readonly label_terms: string;
}

/** Index tables as engine-independent rows. */
export interface StoredTexts {
  /** `{ space }`: passages of a space; `derived`: rebuilt from them by the engine; undefined: copied like any table. */
  kindOf(table: string): { readonly space: string } | "derived" | undefined;
  /** Returns passages after a sequence number, in order. For a database that nothing else changes meanwhile. */
  passages(space: string, after: number, limit: number): Promise<readonly IndexedPassage[]>;
  /** Returns the statements that add passages under their numbers, unless present. */
  adding(space: string, passages: readonly IndexedPassage[]): readonly Write[];
}

/** Method of finding the nearest vectors. */
export interface VectorComparing {
  /** `index`: by a database index; `each`: one by one, with the same result. */
  readonly by: "index" | "each";
  /** Index in use, or the reason there is none; "" when there is nothing to report. */
  readonly detail: string;
  /** Localized detail of `detail`. */
  readonly told?: ItemFailure["detail"];
}
export const TextIndex: ServiceKey<TextIndex> = serviceKey("text-index");

import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { PersonData } from "../../people/person-data.ts";
import type { Write } from "../../services/storage/database.ts";
import { anySchema, functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Records that other plugins hang something on. */
export const LIVING_RECORDS = ["session", "character", "account"] as const;
/** A kind of record that parts of other plugins hang on; a person is no record, and is known by what plugins have of them. */
export type LivingRecord = (typeof LIVING_RECORDS)[number] | "person";

/** A copy of a record, and of what it is made of. */
export interface RecordCopy {
  readonly from: string;
  readonly to: string;
  /** Ids of the messages that were copied along, old to new; those that are not in it stayed behind. */
  readonly messages: ReadonlyMap<string, string>;
}

/** How a table is treated when a person is erased. A row of any other table goes when it names the person. */
export interface PersonTable {
  /** Its name; `records_*`: all that begin so. */
  readonly table: string;
  /** True: its rows stay, because their plugin takes the person out by `erase`, or because administrators wrote them. */
  readonly isKept?: true;
  /** True: nothing tells whose a row is, and it can be made again: all go. */
  readonly isCache?: true;
  /** True: a row goes also when it names a conversation with others in which the person wrote. */
  readonly isShared?: true;
  /** True: the export leaves its rows out, which tell what others said besides; so it does with `isShared` and `isCache`. */
  readonly isInternal?: true;
  /** The row stays with these values: what is counted goes on being counted. */
  readonly set?: Readonly<Record<string, string | null>>;
  /** Rows of other tables that go along: those whose `column` has the key of the row. */
  readonly with?: readonly { readonly table: string; readonly column: string }[];
}

/** A file of the export of a person. */
export interface PersonFile {
  /** With `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * What a plugin keeps of a record of another one, and what becomes of it. All its statements are for `Databases.main` and are
 * written in the transaction that changes the record; what throws fails the whole operation, and nothing is changed.
 */
export interface RecordPart {
  /** `<plugin>.<what>`; also the name of this part in an export. */
  readonly id: string;
  readonly of: LivingRecord;
  /** The record goes for good: what goes with it. */
  removed?(id: string): Promise<readonly Write[]>;
  /** Stops what works with a record that goes, when nothing stands against it any more and right before it goes. */
  leaving?(id: string): Promise<void>;
  copied?(copy: RecordCopy): Promise<readonly Write[]>;
  /** Messages of the session `id` go for good, or were answered by some that do: what went along with those turns. */
  withoutMessages?(id: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  /** JSON, without secrets; undefined: there is nothing. */
  exported?(id: string): Promise<unknown>;
  /** What an imported part must look like. A part that comes in has been through a stranger's hands. */
  readonly schema?: Schema;
  /** The record is stored in the same transaction, under a new id. */
  imported?(id: string, part: unknown): Promise<readonly Write[]>;
  /** Of a person: tables whose rows do not simply go when they name the person. */
  readonly tables?: readonly PersonTable[];
  /** Of a person: the ids of turns that no stored message names. */
  findTraces?(person: PersonData): Promise<readonly string[]>;
  /**
   * Of a person: deletes what rows of the main database do not tell, such as files and indexes, and returns how much that was.
   * The conversations have gone by then. It runs again after a crash.
   */
  erase?(person: PersonData): Promise<number>;
  /** Of a person: files for the export, besides the rows that name the person. */
  collect?(person: PersonData): Promise<readonly PersonFile[]>;
}

/** What becomes of things when the record goes, is copied, exported or imported that they belong to. */
export const RecordLifecycle: ExtensionPoint<RecordPart> = extensionPoint("record-lifecycle", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      of: Joi.valid(...LIVING_RECORDS, "person").required(),
      removed: functionSchema,
      leaving: functionSchema,
      copied: functionSchema,
      withoutMessages: functionSchema,
      exported: functionSchema,
      schema: anySchema,
      imported: functionSchema,
      tables: Joi.array().items(Joi.object({ table: Joi.string().required() }).unknown()),
      findTraces: functionSchema,
      erase: functionSchema,
      collect: functionSchema,
    }).unknown(),
  ),
  unique: { kind: "record part", names: ({ id }) => [id] },
  ends: ["removed", "leaving", "copied", "withoutMessages", "exported", "imported", "findTraces", "erase", "collect"],
});

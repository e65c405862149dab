import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { PersonData } from "../../people/person-data.ts";
import type { Write } from "../../services/storage/database.ts";
import { anySchema, functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Kinds of records that other plugins store parts of. */
export const LIVING_RECORDS = ["session", "character", "account"] as const;
/** Kind of record that other plugins store parts of. A person is no record; only the plugins' data about them exists. */
export type LivingRecord = (typeof LIVING_RECORDS)[number] | "person";

/** A copy of a record and of its parts. */
export interface RecordCopy {
  readonly from: string;
  readonly to: string;
  /** Ids of the copied messages, old to new; missing ones were not copied. */
  readonly messages: ReadonlyMap<string, string>;
}

/** Treatment of a table when a person is erased. Rows of any other table are deleted when they name the person. */
export interface PersonTable {
  /** Table name; `records_*` matches all names with that prefix. */
  readonly table: string;
  /** True when rows stay because their plugin removes the person by `erase`, or because administrators wrote them. */
  readonly isKept?: true;
  /** True when rows name no owner and can be rebuilt: all are deleted. */
  readonly isCache?: true;
  /** True when a row is also deleted because it names a conversation with others in which the person wrote. */
  readonly isShared?: true;
  /** True when the export omits the rows because they also show what others wrote; `isShared` and `isCache` have the same effect. */
  readonly isInternal?: true;
  /** Keeps the row and sets these values instead, so that counts remain correct. */
  readonly set?: Readonly<Record<string, string | null>>;
  /** Rows of other tables to delete too: those whose `column` contains the row's key. */
  readonly with?: readonly { readonly table: string; readonly column: string }[];
}

/** A file of the export of a person. */
export interface PersonFile {
  /** Path with `/` between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * A plugin's part of another plugin's record. All its statements are for `Databases.main` and run in the transaction that changes
 * the record; an error fails the whole operation, and nothing is changed.
 */
export interface RecordPart {
  /** `<plugin>.<what>`; also the name of this part in an export. */
  readonly id: string;
  readonly of: LivingRecord;
  /** Returns the writes that delete the part together with its record. */
  removed?(id: string): Promise<readonly Write[]>;
  /** Stops work on a record just before its deletion, once nothing can prevent the deletion any longer. */
  leaving?(id: string): Promise<void>;
  copied?(copy: RecordCopy): Promise<readonly Write[]>;
  /** Returns the writes for deleted messages of session `id`, and for messages answered by them: reverts what those turns stored. */
  withoutMessages?(id: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  /** Returns the part as JSON without secrets; undefined when there is none. */
  exported?(id: string): Promise<unknown>;
  /** Schema that an imported part is validated against; it comes from an untrusted file. */
  readonly schema?: Schema;
  /** Returns the writes that store an imported part; the record is stored in the same transaction, under a new id. */
  imported?(id: string, part: unknown): Promise<readonly Write[]>;
  /** For a person: tables whose rows are not simply deleted when they name the person. */
  readonly tables?: readonly PersonTable[];
  /** For a person: ids of turns that no stored message names. */
  findTraces?(person: PersonData): Promise<readonly string[]>;
  /**
   * For a person: deletes data outside the main database rows, such as files and indexes, and returns the deleted
   * count. Runs after the conversations are deleted, and again after a crash.
   */
  erase?(person: PersonData): Promise<number>;
  /** For a person: files for the export, besides the rows that name the person. */
  collect?(person: PersonData): Promise<readonly PersonFile[]>;
}

/** Parts that plugins store of records, with their handling of delete, copy, export and import. */
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

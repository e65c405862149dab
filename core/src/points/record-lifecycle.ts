import Joi, { type Schema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import type { Write } from "../services/database.ts";
import { anySchema, runs, shaped, word } from "../shape.ts";

/** Records that other plugins hang something on. */
export const LIVING_RECORDS = ["session", "character", "account"] as const;
/** A kind of record that parts of other plugins hang on. */
export type LivingRecord = (typeof LIVING_RECORDS)[number];

/** A copy of a record, and of what it is made of. */
export interface RecordCopy {
  readonly from: string;
  readonly to: string;
  /** Ids of the messages that were copied along, old to new; those that are not in it stayed behind. */
  readonly messages: ReadonlyMap<string, string>;
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
}

/** What becomes of things when the record goes, is copied, exported or imported that they belong to. */
export const RecordLifecycle: ExtensionPoint<RecordPart> = extensionPoint("record-lifecycle", {
  accept: shaped(
    Joi.object({
      id: word.required(),
      of: Joi.valid(...LIVING_RECORDS).required(),
      removed: runs,
      leaving: runs,
      copied: runs,
      withoutMessages: runs,
      exported: runs,
      schema: anySchema,
      imported: runs,
    }).unknown(),
  ),
  unique: { kind: "record part", names: ({ id }) => [id] },
});

import type { ObjectSchema, Schema } from "@hapi/joi";
import type { Common } from "../records.ts";
import type { EventReaders } from "../services/conversations/live-events.ts";
import type { Scope } from "../services/operations/accounts.ts";
import type { Localized } from "./field-schemas.ts";

/** What can be done with a resource by its rows. */
export type ResourceVerb = "list" | "get" | "create" | "update" | "remove";
export const VERBS: readonly ResourceVerb[] = ["list", "get", "create", "update", "remove"];

/** Something else that can be done with a record, or with all of them: one button of the console, one row of the API. */
export interface ResourceCall {
  readonly id: string;
  readonly title: Localized;
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the resource's path: `{key_id}/test`, `clear`. With the path parameter it is done with one record. */
  readonly path: string;
  readonly scope?: Scope;
  /** Asked before it is done, because it cannot be taken back. */
  readonly confirm?: Localized;
  /** May be done with several records, one request each. */
  readonly bulk?: boolean;
  /** What is asked first; its fields are labelled. */
  readonly body?: ObjectSchema;
  /** What becomes of the answer: a short note, its data shown, or a file. Default `note`. */
  readonly answer?: "note" | "shown" | "download";
}

/** A kind of record, said once: rows, validation, storage and a page of the console come from it. */
export interface ResourceDeclaration<Fields extends object> {
  /** snake_case, as in `resource_changed` and in ids of the console: `api_key`. */
  readonly kind: string;
  /** What `resource_changed` calls it, where that is not the kind: `entry`. */
  readonly toldAs?: string;
  /** `/api/api-keys` */
  readonly path: `/api/${string}`;
  /** The parameter of the path of one record: `key_id`. */
  readonly param: string;
  /** Of new ids: `key`. */
  readonly idPrefix: string;
  readonly title: { readonly one: Localized; readonly many: Localized };
  /** What these records are for; stands where there are none yet. */
  readonly about: Localized;
  /**
   * What people set: joi schemas, each labelled. `required()` must be sent to make a record; all but `optional()` stand
   * in every answer. `name` is what a record is called.
   */
  readonly fields: { readonly [Name in keyof Required<Fields>]: Schema };
  /** What answers carry beside the fields: nobody can set it, and what is sent back with a change is ignored. */
  readonly derived?: Readonly<Record<string, Schema>>;
  /** Whoever makes a record may choose its id, of this form; by itself it is a new one. */
  readonly chosenId?: Schema;
  /** Fields that only the answer about one record carries: lists leave them out. */
  readonly detail?: readonly (keyof Fields & string)[];
  /** True: what is sent under other names is no mistake; `records` is handed it as it is. */
  readonly keepsUnknown?: true;
  /** Fields that are taken and never answered. */
  readonly secret?: readonly (keyof Fields & string)[];
  /** What the answer to a creation carries once: a secret. */
  readonly created?: Readonly<Record<string, Schema>>;
  /** What the answer to a removal carries besides. */
  readonly removed?: Readonly<Record<string, Schema>>;
  /** Fields that `q` looks into, whatever the case. */
  readonly search?: readonly (keyof Fields & string)[];
  /** Fields that a list can be narrowed by: equal to the query's value, for lists of words: one of them. */
  readonly filters?: readonly (keyof Fields & string)[];
  /** Filters of a list that are no fields. Records that are kept elsewhere heed them. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Fields (and `created_at`, `updated_at`) that a list can be sorted by; the first is the order by itself, `-`: the last first. */
  readonly sort?: readonly string[];
  /** A field that no two records share, whatever the case. */
  readonly unique?: keyof Fields & string;
  /** Fields that are set when a record is made, and never after. */
  readonly fixed?: readonly (keyof Fields & string)[];
  /** How many there may be; default: as many as there is room for. */
  readonly most?: number;
  /** The largest body of a creation or a change, in bytes; default 2 MiB. */
  readonly maxBytes?: number;
  /** Default: all five. */
  readonly verbs?: readonly ResourceVerb[];
  /** Who may read and change; default `read` and `write`. */
  readonly scopes?: { readonly read?: Scope; readonly change?: Scope };
  /** Returns the readers of one record, if not everyone with the scope may read it; only they receive its `resource_changed`. */
  readonly readersOf?: (item: Common & Readonly<Fields>) => EventReaders | undefined;
  /** What the page shows of a record in its table; default: name, filters, `updated_at`. */
  readonly columns?: readonly string[];
  readonly actions?: readonly ResourceCall[];
}

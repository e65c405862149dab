import type { ObjectSchema, Schema } from "@hapi/joi";
import type { Localized } from "../localized.ts";
import type { Common } from "../records.ts";
import type { LiteralSecrets } from "../secrets/literal-secrets.ts";
import type { EventReaders } from "../services/conversations/live-events.ts";
import type { Scope } from "../services/operations/accounts.ts";

/** Operations that a resource offers as routes. */
export type ResourceVerb = "list" | "get" | "create" | "update" | "remove";
export const VERBS: readonly ResourceVerb[] = ["list", "get", "create", "update", "remove"];

/** An additional action on one record or on all of them: one button of the console, one route of the API. */
export interface ResourceCall {
  readonly id: string;
  readonly title: Localized;
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the resource's path: `{key_id}/test`, `clear`. With the path parameter the action applies to one record. */
  readonly path: string;
  readonly scope?: Scope;
  /** Confirmation question, because the action cannot be undone. */
  readonly confirm?: Localized;
  /** True when the action may be applied to several records, with one request each. */
  readonly bulk?: boolean;
  /** Schema of the form to fill in first; each field has a label (`withLabel`). */
  readonly body?: ObjectSchema;
  /** Presentation of the answer: a short note, its data, or a file. Default `note`. */
  readonly answer?: "note" | "shown" | "download";
}

/** Declaration of a kind of record; its routes, validation, storage and console page derive from it. */
export interface ResourceDeclaration<Fields extends object> {
  /** snake_case, as in `resource_changed` and in ids of the console: `api_key`. */
  readonly kind: string;
  /** Name in `resource_changed` where it differs from `kind`: `entry`. */
  readonly toldAs?: string;
  /** `/api/api-keys` */
  readonly path: `/api/${string}`;
  /** Name of the path parameter of one record: `key_id`. */
  readonly param: string;
  /** Prefix of new ids: `key`. */
  readonly idPrefix: string;
  readonly title: { readonly one: Localized; readonly many: Localized };
  /** Purpose of these records; shown while there are none. */
  readonly about: Localized;
  /**
   * Editable fields: joi schemas, each with a label (`withLabel`). `required()` ones are needed for creation; all except `optional()`
   * ones appear in every answer. `name` is the display name of a record.
   */
  readonly fields: { readonly [Name in keyof Required<Fields>]: Schema };
  /** Read-only fields of answers; ignored when sent back with a change. */
  readonly derived?: Readonly<Record<string, Schema>>;
  /** Schema of an id that the creator may choose; by default ids are generated. */
  readonly chosenId?: Schema;
  /** Fields that only the answer about one record contains; lists omit them. */
  readonly detail?: readonly (keyof Fields & string)[];
  /** True when unknown fields are allowed; `records` receives them unchanged. */
  readonly keepsUnknown?: true;
  /** Secrets that people write into fields; `RecordStore` encrypts them at rest and returns them opened, answers contain masks. */
  readonly secrets?: LiteralSecrets<Fields>;
  /** True keeps all records in memory, for frequent readers: `RecordStore.cached`. */
  readonly cached?: true;
  /** Fields that are accepted but never in an answer. Only `secrets` are encrypted at rest. */
  readonly secret?: readonly (keyof Fields & string)[];
  /** Extra fields of the creation answer, shown only once: a secret. */
  readonly created?: Readonly<Record<string, Schema>>;
  /** Extra fields of the removal answer. */
  readonly removed?: Readonly<Record<string, Schema>>;
  /** Fields that `q` searches, ignoring case. */
  readonly search?: readonly (keyof Fields & string)[];
  /** Fields by which a list can be filtered: equal to the query's value, or, for lists of words, containing it. */
  readonly filters?: readonly (keyof Fields & string)[];
  /** List filters that are not fields. Custom `records` must apply them. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Sortable fields (and `created_at`, `updated_at`); the first is the default order, `-` means descending. */
  readonly sort?: readonly string[];
  /** Field whose value no two records share, ignoring case. */
  readonly unique?: keyof Fields & string;
  /** Fields that are set on creation and never changed. */
  readonly fixed?: readonly (keyof Fields & string)[];
  /** Maximum count of records; default: unlimited. */
  readonly most?: number;
  /** Maximum body of a creation or a change, in bytes; default 2 MiB. */
  readonly maxBytes?: number;
  /** Default: all five. */
  readonly verbs?: readonly ResourceVerb[];
  /** Scopes for reading and changing; default `read` and `write`. */
  readonly scopes?: { readonly read?: Scope; readonly change?: Scope };
  /** Returns the readers of one record, if not everyone with the scope may read it; only they receive its `resource_changed`. */
  readonly readersOf?: (item: Common & Readonly<Fields>) => EventReaders | undefined;
  /** Columns of the console table; default: name, filters, `updated_at`. */
  readonly columns?: readonly string[];
  readonly actions?: readonly ResourceCall[];
}

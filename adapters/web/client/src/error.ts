import type { components } from "./generated/schema.ts";

/** The codes of the service; `network`: it could not be reached, `unexplained`: the answer was none of its own. */
export type ErrorCode = components["schemas"]["Failure"]["code"] | "network" | "unexplained";

/** A validation problem of one field of a request. */
export interface FieldProblem {
  /** In words of the reader's language, without the field. */
  readonly error: string;
  readonly key: string;
  readonly field?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
}

export interface ParleyErrorInit {
  readonly code: ErrorCode;
  /** In the language of the header `Accept-Language`. */
  readonly message: string;
  /** 0: there was no answer. */
  readonly status: number;
  /** Key of the message, for translations. */
  readonly key?: string | undefined;
  /** The field of the request that it is about. */
  readonly field?: string | undefined;
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Further validation problems of the same request. */
  readonly others?: readonly FieldProblem[] | undefined;
  /** Whole seconds until trying again makes sense. */
  readonly retryAfterS?: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId?: string | undefined;
}

/** An error with a message for people and details for programs. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly key: string | undefined;
  readonly field: string | undefined;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly others: readonly FieldProblem[];
  readonly retryAfterS: number | undefined;
  readonly requestId: string | undefined;

  constructor(facts: ParleyErrorInit, options?: ErrorOptions) {
    super(facts.message, options);
    this.code = facts.code;
    this.status = facts.status;
    this.key = facts.key;
    this.field = facts.field;
    this.params = facts.params ?? {};
    this.others = facts.others ?? [];
    this.retryAfterS = facts.retryAfterS;
    this.requestId = facts.requestId;
  }
}

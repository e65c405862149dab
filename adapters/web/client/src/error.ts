import type { components } from "./generated/schema.ts";

/** The codes of the service, plus `network` for an unreachable service and `unexplained` for a response of something else. */
export type ErrorCode = components["schemas"]["Failure"]["code"] | "network" | "unexplained";

/** A validation problem of one field of a request. */
export interface FieldProblem {
  /** In the language of the request, without the field. */
  readonly error: string;
  readonly key: string;
  readonly field?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
}

export interface ParleyErrorInit {
  readonly code: ErrorCode;
  /** In the language of the header `Accept-Language`. */
  readonly message: string;
  /** 0 if there was no response. */
  readonly status: number;
  /** Key of the message, for translations. */
  readonly key?: string | undefined;
  /** The field of the request that caused it. */
  readonly field?: string | undefined;
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Further validation problems of the same request. */
  readonly others?: readonly FieldProblem[] | undefined;
  /** Whole seconds to wait before the next try. */
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

  constructor(init: ParleyErrorInit, options?: ErrorOptions) {
    super(init.message, options);
    this.code = init.code;
    this.status = init.status;
    this.key = init.key;
    this.field = init.field;
    this.params = init.params ?? {};
    this.others = init.others ?? [];
    this.retryAfterS = init.retryAfterS;
    this.requestId = init.requestId;
  }
}

import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Action of a user-defined tool: `http` sends a request, `static` returns a text. */
export interface ToolImplementation {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A user-defined action: the JSON Schema of its arguments (type object), and its implementation. */
export interface Implemented {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
}

/** Validates and runs user-defined implementations. */
export interface ToolImplementations {
  /** Validates an implementation and fills in defaults; rejects with `bad_request`. */
  checked(what: Implemented): Promise<ToolImplementation>;
  /** Validates the arguments and runs the implementation; returns the answer as text. */
  run(what: Implemented, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string>;
}
export const ToolImplementations: ServiceKey<ToolImplementations> = serviceKey("tool-implementations");

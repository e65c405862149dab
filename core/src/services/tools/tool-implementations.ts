import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** What something of people's own does when it is used: `http` sends a request, `static` gives a text. */
export interface ToolImplementation {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What takes arguments: a JSON Schema of type object, and what is done with them. */
export interface Implemented {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: ToolImplementation;
}

/** The one place where implementations of people's own are checked and run. */
export interface ToolImplementations {
  /** The implementation with its defaults; `bad_request` for what cannot be used. */
  checked(what: Implemented): Promise<ToolImplementation>;
  /** Checks the arguments and does it; gives the answer as text. */
  run(what: Implemented, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string>;
}
export const ToolImplementations: ServiceKey<ToolImplementations> = serviceKey("tool-implementations");

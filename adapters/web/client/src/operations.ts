import type { paths } from "./generated/schema.ts";

export type Method = "get" | "post" | "put" | "delete";

/** The paths that have an operation with the method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { readonly [Key in M]: object } ? Path : never;
}[keyof paths];

type OperationOf<M extends Method, Path extends PathOf<M>> = paths[Path] extends { readonly [Key in M]: infer Route }
  ? Route
  : never;

type JsonOf<Part> = Part extends { readonly content: { readonly "application/json": infer Body } } ? Body : never;
type ResponsesOf<Route> = Route extends { readonly responses: infer Responses }
  ? Responses[Extract<keyof Responses, 200 | 202>]
  : never;
type Unwrapped<Body> = Body extends { readonly success: true; readonly data: infer Data } ? Data : never;

/** The `data` of a route's response; a union where it may also be accepted without completion. */
export type DataOf<M extends Method, Path extends PathOf<M>> = Unwrapped<JsonOf<ResponsesOf<OperationOf<M, Path>>>>;

type ParameterOf<Route, Place extends "path" | "query"> = Route extends { readonly parameters: infer All }
  ? All extends { readonly [Key in Place]?: infer Values }
    ? Exclude<Values, undefined>
    : never
  : never;
type BodyOf<Route> = Route extends { readonly requestBody?: infer Body } ? JsonOf<Exclude<Body, undefined>> : never;

/** `name: Values` where there are any; optional when none is required. */
type OptionalPart<Name extends string, Values> = [Values] extends [never]
  ? { readonly [Key in Name]?: never }
  : Record<never, never> extends Values
    ? { readonly [Key in Name]?: Values }
    : { readonly [Key in Name]: Values };

/** The arguments of a request: path, query, body, signal, `ifMatch` and idempotency key. */
export type CallOptions<M extends Method, Path extends PathOf<M>> = OptionalPart<
  "path",
  ParameterOf<OperationOf<M, Path>, "path">
> &
  OptionalPart<"query", ParameterOf<OperationOf<M, Path>, "query">> &
  OptionalPart<"body", BodyOf<OperationOf<M, Path>>> & {
    readonly signal?: AbortSignal | undefined;
    /** The expected revision; another one fails with `conflict`. */
    readonly ifMatch?: number | undefined;
    /** Use the same key to repeat a request that may have arrived; it is executed once. */
    readonly idempotencyKey?: string | undefined;
  };

/** The options of a request; optional when no option is required. */
export type CallArguments<M extends Method, Path extends PathOf<M>> =
  object extends CallOptions<M, Path> ? [options?: CallOptions<M, Path>] : [options: CallOptions<M, Path>];

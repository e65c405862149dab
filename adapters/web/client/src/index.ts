export { createParley, type Parley, type ParleyOptions, type RequestOptions } from "./client.ts";
export type * from "./deprecated.ts";
export { type ErrorCode, type FieldProblem, ParleyError, type ParleyErrorInit } from "./error.ts";
export type { components, operations, paths } from "./generated/schema.ts";
export type { CallOptions, DataOf, Method, PathOf } from "./operations.ts";
export { type Answer, type RawAnswer, readAnswer } from "./read-answer.ts";

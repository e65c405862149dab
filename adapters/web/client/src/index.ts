export { createParley, type Parley, type ParleyOptions } from "./client.ts";
export { type ErrorCode, type ErrorFacts, type FieldProblem, ParleyError } from "./error.ts";
export type { components, operations, paths } from "./generated/schema.ts";
export { type Answer, type RawAnswer, readAnswer } from "./read-answer.ts";
export type { Asked, DataOf, Method, PathOf } from "./rows.ts";

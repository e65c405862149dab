import { ALL, parley, type Shapes } from "./client.ts";

/** A tool call that waits for the word of a person. */
export type Question = Shapes["Confirmation"];

export const questions = {
  list: () => parley.get("/api/confirmations", { query: ALL }),
  answer: (request_id: string, approved: boolean) =>
    parley.post("/api/confirmations/{request_id}", { path: { request_id }, body: { approved } }),
};

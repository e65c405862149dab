import { MAX_LIMIT_QUERY, parley, type Shapes } from "./client.ts";

/** A tool call that waits for a person's approval. */
export type Confirmation = Shapes["Confirmation"];

export const confirmations = {
  list: () => parley.get("/api/confirmations", { query: MAX_LIMIT_QUERY }),
  answer: (request_id: string, approved: boolean) =>
    parley.post("/api/confirmations/{request_id}", { path: { request_id }, body: { approved } }),
};

import { api, type Listed } from "./client.ts";

export interface Question {
  readonly id: string;
  readonly session_id: string;
  readonly tool: string;
  readonly summary: string;
  readonly expires_at: string;
}

export const questions = {
  list: () => api.get<Listed<Question>>("/api/confirmations?limit=500"),
  answer: (id: string, approved: boolean) => api.post(`/api/confirmations/${id}`, { approved }),
};

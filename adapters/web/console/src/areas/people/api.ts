import { api, type Listed, parley, type Shapes } from "../../shared/api/client.ts";

export type Person = Shapes["Person"];

/** The job that erases somebody. */
export interface Erasing {
  readonly id: string;
  readonly kind: string;
  readonly status: "waiting" | "running" | "done" | "dead" | "canceled";
  readonly progress: number | null;
}

const KIND = "people.erase";
const path = "/api/people";

export const people = {
  list: (q: string, limit: number) => parley.get(path, { query: { ...(q !== "" && { q }), limit } }),
  /** Where a ZIP of everything about somebody is. */
  exportOf: (person_id: string) => `${path}/${encodeURIComponent(person_id)}/export`,
  /** Answers when it is done, or after a while with the job that goes on. */
  erase: (person_id: string) => parley.delete(`${path}/{person_id}`, { path: { person_id }, body: { confirm: true } }),
  /** The latest erasure. */
  erasing: async (): Promise<Erasing | undefined> =>
    (await api.get<Listed<Erasing>>(`/api/jobs?q=${KIND}&limit=5`)).items.find(({ kind }) => kind === KIND),
  job: (id: string) => api.get<Erasing>(`/api/jobs/${encodeURIComponent(id)}`),
};

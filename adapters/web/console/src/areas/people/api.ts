import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type Person = Shapes["Person"];

const ERASURE_JOB_KIND = "people.erase";
const PEOPLE_PATH = "/api/people";

export const people = {
  list: (q: string, page: Page) => parley.get(PEOPLE_PATH, { query: { ...(q !== "" && { q }), ...page } }),
  /** Returns the path of the ZIP with all data of a person. */
  toExportPath: (person_id: string) => `${PEOPLE_PATH}/${encodeURIComponent(person_id)}/export`,
  /** Erases a person; resolves when that is done, or after a while with the job that continues it. */
  erase: (person_id: string) =>
    parley.delete(`${PEOPLE_PATH}/{person_id}`, { path: { person_id }, body: { confirm: true } }),
  findLatestErasure: async () =>
    (await parley.get("/api/jobs", { query: { q: ERASURE_JOB_KIND, limit: 5 } })).items.find(
      ({ kind }) => kind === ERASURE_JOB_KIND,
    ),
  getJob: (job_id: string) => parley.get("/api/jobs/{job_id}", { path: { job_id } }),
};

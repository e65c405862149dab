import { setTimeout as wait } from "node:timers/promises";
import Joi from "@hapi/joi";
import {
  AppError,
  type Jobs,
  newId,
  notFound,
  type PersonData,
  type RouteTable,
  rawReply,
  readPersonAddress,
  reply,
  route,
} from "@parley/core";
import { answerFields, attachmentNamed, bytes, listData, listQuery, type Page, shape } from "@parley/core/http";
import { sessionsTexts } from "../texts.ts";
import { ERASE_PERSON } from "./erase-job.ts";
import type { ErasedCounts, Erasures } from "./erasures.ts";
import type { ListedPerson } from "./list-people.ts";

const { text, time, count, word, orNull, mapOf } = answerFields;
const WAIT_MS = 20_000;
const POLL_INTERVAL_MS = 100;

const confirmation = Joi.object<{ confirm?: boolean }>({ confirm: Joi.boolean() });
const peopleQuery = listQuery<Page & { readonly q?: string }>({ q: Joi.string().allow("").max(200) });
const personShape = shape<ListedPerson>(
  { person_id: text, name: text, channel_id: text, conversations: count, last_message_at: orNull(time) },
  "Person",
);
const erasureShape = shape<{ job_id: string; status: string; counts: ErasedCounts | null }>(
  { job_id: text, status: word("done", "running"), counts: orNull(mapOf(count)) },
  "PersonErasure",
);

export interface PeopleRoutesDeps {
  readonly erasures: () => Erasures;
  readonly jobs: () => Jobs;
  readonly now: () => number;
  readonly list: (query: Page & { readonly q?: string }) => Promise<object>;
  readonly exportPerson: (person: PersonData) => Promise<Uint8Array>;
}

/** Creates the routes that export and erase all data of a person. */
export function createPeopleRoutes(deps: PeopleRoutesDeps): RouteTable {
  const { erasures, jobs, now, list, exportPerson } = deps;
  return [
    route({
      method: "GET",
      path: "/api/people",
      summary: "list people with a private conversation with the bot, by last message",
      scope: "admin",
      query: peopleQuery,
      data: listData(personShape),
      run: ({ query }) => list(query),
    }),
    route({
      method: "GET",
      path: "/api/people/{person_id}/export",
      summary: "export everything stored about a person as a ZIP file",
      scope: "admin",
      reply: "raw",
      data: { "application/zip": bytes },
      timeoutMs: false,
      async run({ params }) {
        const found = await erasures().find(params.person_id);
        const name = `person-${new Date(now()).toISOString().slice(0, 10)}.zip`;
        return rawReply({
          body: await exportPerson(found),
          type: "application/zip",
          headers: { "content-disposition": attachmentNamed(name), "cache-control": "no-store" },
        });
      },
    }),
    route({
      method: "DELETE",
      path: "/api/people/{person_id}",
      summary: "erase everything stored about a person by a job, which survives restarts; only counts remain",
      scope: "admin",
      body: confirmation,
      query: confirmation,
      data: erasureShape,
      accepted: erasureShape,
      timeoutMs: false,
      async run({ params, body, query, signal }) {
        if (!(body.confirm ?? query.confirm)) throw sessionsTexts.error("confirmation_required", "erase_unconfirmed");
        if (!readPersonAddress(params.person_id)) throw notFound("person", params.person_id);
        const id = newId("erase", now());
        await erasures().begin(id, params.person_id);
        const { jobId } = await jobs().add(ERASE_PERSON, { erasure_id: id });
        const counts = await waitForCounts(deps, jobId, id, signal);
        const status = counts ? "done" : "running";
        return reply({ status: counts ? 200 : 202, data: { job_id: jobId, status, counts } });
      },
    }),
  ];
}

/** Waits a short time for the end of the job, since most people have little data. */
async function waitForCounts({ jobs, erasures }: PeopleRoutesDeps, jobId: string, id: string, signal: AbortSignal) {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_INTERVAL_MS) {
    const { status, error } = await jobs().get(jobId);
    if (status === "done") return (await erasures().get(id))?.counts ?? null;
    if (status !== "waiting" && status !== "running") {
      throw new AppError("unavailable", error?.error ?? `the job ${jobId} has ended`);
    }
    await wait(POLL_INTERVAL_MS, undefined, { signal, ref: false });
  }
  return null;
}

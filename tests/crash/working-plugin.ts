import { appendFileSync } from "node:fs";
import { join } from "node:path";
import Joi from "@hapi/joi";
import { Databases, definePlugin, JobKinds, Jobs, jobKind, Paths, RouteTables, route, Schedules } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { createEventCounter } from "./event-counter.ts";

const counter = createEventCounter("worked");
const KIND = "working.work";
const name = Joi.object<{ name: string }, true>({ name: Joi.string().required() });

/** Provides a job that appends a line to a file, which stands for an external effect, and counts its ends in the database. */
export default definePlugin({
  id: "working",
  requires: [Databases, Jobs, Schedules],
  register({ contribute }) {
    contribute(JobKinds, (from) =>
      jobKind<{ readonly name: string }>({
        kind: KIND,
        titles: { en: "Work", zh: "工作" },
        schema: name,
        async run(payload, { once }) {
          await once("write", async () => appendFileSync(join(from.get(Paths).root, "world"), `${payload.name}\n`));
          return [{ writes: [counter.write(payload.name)] }];
        },
      }),
    );
    contribute(RouteTables, (from) => [
      route({
        method: "POST",
        path: "/api/work",
        scope: "write",
        summary: "Add work, once for each name",
        body: name,
        data: answerFields.anything,
        run: ({ body }) => from.get(Jobs).add(KIND, body, { key: body.name }),
      }),
      route({
        method: "POST",
        path: "/api/work/planned",
        scope: "write",
        summary: "Plan work for the next moment",
        body: name,
        data: answerFields.anything,
        run: ({ body }) => from.get(Schedules).put({ id: body.name, kind: KIND, payload: body, at: Date.now() + 100 }),
      }),
      route({
        method: "GET",
        path: "/api/work",
        scope: "read",
        summary: "How often work of each name came to its end",
        data: answerFields.mapOf(answerFields.count),
        run: () => counter.read(from),
      }),
    ]);
  },
  start: (context) => counter.open(context),
});

// Compares what every REST route costs at the start: as a route of hapi, and in hapi's router alone, which is how it is done
// (.github/decisions/hapi.md). CPU time of this process, so that other programs do not count.
// node --conditions=@parley/source tests/bench/hapi-routes.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Router } from "@hapi/call";
import { Server } from "@hapi/hapi";
import Joi from "@hapi/joi";
import { describeConfiguration } from "@parley/cli";

const ROUNDS = 7;
const METHODS = ["get", "post", "put", "patch", "delete"];

const root = mkdtempSync(join(tmpdir(), "parley-routes-"));
const { document } = await describeConfiguration({ root, flags: { port: 0 } });
rmSync(root, { recursive: true, force: true });
const paths = (document as { readonly paths: Readonly<Record<string, object>> }).paths;
const rows = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).flatMap((method) => (METHODS.includes(method) ? [{ method: method.toUpperCase(), path }] : [])),
);
const query = Joi.object({ limit: Joi.number().integer(), offset: Joi.number().integer() });

const asRoutes = measure(() => {
  const server = new Server({ debug: false });
  server.auth.scheme("key", () => ({ authenticate: (_request, h) => h.authenticated({ credentials: {} }) }));
  server.auth.strategy("login", "key");
  server.validator(Joi);
  const routes = rows.map(({ method, path }) => ({
    method,
    path,
    handler: () => "",
    options: {
      auth: "login",
      validate: { query },
      ...(method !== "GET" && { payload: { output: "stream", parse: false } }),
    },
  }));
  server.route(routes as never);
});
const inRouter = measure(() => {
  const router = new Router({ isCaseSensitive: true });
  for (const { method, path } of rows) router.add({ method, path }, path);
});
console.log(`${rows.length} routes of hapi: ${format(asRoutes)}`);
console.log(`in its router alone: ${format(inRouter)}`);
console.log(`difference at a start: ${(asRoutes.first - inRouter.first).toFixed(0)} ms (budget 150 ms)`);

interface Measured {
  /** As at a start, when no code has run yet. */
  readonly first: number;
  readonly median: number;
}

function measure(work: () => void): Measured {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const sorted = times.toSorted((a, b) => a - b);
  return { first: times[0] ?? 0, median: sorted[Math.floor(ROUNDS / 2)] ?? 0 };
}

function format({ first, median }: Measured): string {
  return `${first.toFixed(1)} ms of CPU the first time, ${median.toFixed(1)} ms later`;
}

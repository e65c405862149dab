// pnpm torture [--seeds 50] [--from 1] [--jobs 4] [--point sending]… [--only imB]… [--bursts | --sentences] [--platform ./my-platform.ts]… | --nodes
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import startServer from "../harness/postgres-storage.ts";
import { findPostgresPrograms } from "../harness/servers/postgres.ts";
import { KILL_POINTS } from "./kill-points.ts";
import { DISRUPTIONS, tortureNodes } from "./nodes.ts";
import { PACKAGE_PLATFORMS, PLATFORMS, type TorturedPlatform } from "./platforms.ts";
import { torture } from "./torture.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    /** Services that run at the same time; most of their time is waiting. */
    jobs: { type: "string", default: "4" },
    /** People write several messages at once; each burst gets one answer. */
    bursts: { type: "boolean", default: false },
    /** Answers are sent as several messages. */
    sentences: { type: "boolean", default: false },
    point: { type: "string", multiple: true },
    only: { type: "string", multiple: true },
    /** A module whose default export is a `TorturedPlatform`: your own adapter with your own simulator. */
    platform: { type: "string", multiple: true, default: [] },
    /** Runs three nodes on one PostgreSQL instead. */
    nodes: { type: "boolean", default: false },
    /** With `--nodes`: only disruptions of this kind. */
    blow: { type: "string", multiple: true },
    /** With `--nodes`: a clone of an earlier version with its libraries, which every node runs until it is deployed. */
    before: { type: "string" },
  },
});
if (values.nodes) {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const ended = await tortureNodes(
    programs,
    DISRUPTIONS.filter(({ kind }) => values.blow?.includes(kind) ?? true),
    values.before === undefined ? undefined : resolve(values.before),
  );
  console.log(JSON.stringify(ended, undefined, 2));
  process.exit(ended.problems.length > 0 ? 1 : 0);
}
const own = await Promise.all(
  values.platform.map(async (file) => (await import(pathToFileURL(resolve(file)).href)).default as TorturedPlatform),
);
const first = own.length > 0 && !values.only ? own : [...PLATFORMS, ...(values.only ? PACKAGE_PLATFORMS : []), ...own];
const platforms = first.filter(({ type, name = type }) => !values.only || values.only.includes(name));
const from = Number(values.from);
const began = performance.now();
const endServer = await startServer();
const result = await torture({
  platforms,
  points: values.point ?? KILL_POINTS,
  jobs: Number(values.jobs),
  manner: values.bursts ? "bursts" : values.sentences ? "sentences" : "messages",
  seeds: Array.from({ length: Number(values.seeds) }, (_, index) => from + index),
  tell: (line) => console.log(line),
});
await endServer?.();
const { problems, ...figures } = result;
console.log(
  JSON.stringify({ ...figures, problems: problems.length, seconds: Math.round((performance.now() - began) / 1000) }),
);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

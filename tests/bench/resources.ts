// Measures pages, searches, filters, reads by key and a turn's write, with 10 records of a kind and with 100,000.
// node --conditions=@parley/source tests/bench/resources.ts [records]
import {
  addResource,
  Databases,
  definePlugin,
  displayName,
  Joi,
  RecordStore,
  type Resource,
  resource,
  tagsOf,
  textOf,
  type Write,
  withLabel,
} from "@parley/core";
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const SMALL = 10;
const LARGE = Number(process.argv[2] ?? 100_000);
const ROUNDS = 100;
const STEP = 500;
const BUDGET = "budget 1.5";
/** Text as long as a character's prompts: more than a page of the database. */
const LORE = "She has sailed every sea there is. ".repeat(140);

interface Ship {
  readonly name: string;
  readonly lore: string;
  readonly fleet: "north" | "south" | "lost";
  readonly tags: readonly string[];
  readonly guns: number;
}

const title = (en: string) => ({ title: { en, zh: en } });
const [boats, ships] = [declareKind("boat"), declareKind("ship")];
const bench = definePlugin({
  id: "bench",
  register(context) {
    addResource(context, boats);
    addResource(context, ships);
  },
});
await using parley = await startParley({ plugins: [bench] });
const client = createClient(parley.address, (await parley.signIn()).token);
const { main } = parley.host.get(Databases);

await fill(boats, SMALL);
await fill(ships, LARGE);
const few = await prepareCalls(boats);
const many = await prepareCalls(ships);
for (const { what, of, run } of few) {
  const other = many.find((one) => one.what === what)?.run ?? run;
  const [small = 0, large = 0] = await measureMedians(run, other);
  const ratio = (large / small).toFixed(2);
  console.log(
    `${what}: ${small.toFixed(2)} ms at ${SMALL}, ${large.toFixed(2)} ms at ${LARGE}, ratio ${ratio} (${of})`,
  );
}

function declareKind(kind: string): Resource<Ship> {
  return resource<Ship>({
    kind,
    path: `/api/${kind}s`,
    param: "ship_id",
    idPrefix: kind,
    title: { one: { en: kind, zh: "船" }, many: { en: `${kind}s`, zh: "船" } },
    about: { en: "What sails.", zh: "航行之物。" },
    fields: {
      name: withLabel(displayName(100).required(), title("Name")),
      lore: withLabel(textOf(20_000).default(""), title("Lore")),
      fleet: withLabel(Joi.valid("north", "south", "lost").default("north"), title("Fleet")),
      tags: withLabel(tagsOf(5).default([]), title("Tags")),
      guns: withLabel(Joi.number().default(0), title("Guns")),
    },
    search: ["name", "tags"],
    filters: ["fleet", "tags"],
    sort: ["name", "guns"],
  });
}

async function fill(kind: Resource<Ship>, count: number): Promise<void> {
  const records = parley.host.get(RecordStore).of(kind);
  for (let at = 0; at < count; at += STEP) {
    const writes: Write[] = [];
    for (let index = at; index < Math.min(at + STEP, count); index += 1) {
      // Exactly five records are lost, whatever the total.
      const fleet = index < 10 && index % 2 === 0 ? "lost" : index % 2 === 0 ? "north" : "south";
      const draft = {
        name: `Ship ${index}`,
        lore: LORE,
        fleet,
        tags: ["sea", `no${index}`],
        guns: index % 97,
      } as const;
      writes.push(...(await records.creating(draft)).writes);
    }
    await main.write(writes);
  }
}

/** Prepares the calls; all except a turn's write go over real HTTP. */
async function prepareCalls(kind: Resource<Ship>) {
  const records = parley.host.get(RecordStore).of(kind);
  const { items } = await records.page({ q: "Ship 3", limit: 1, offset: 0 });
  const id = items[0]?.id ?? "";
  const got = (query: string) => () => client.get(`${kind.path}${query}`);
  const turn = async () => {
    const { writes } = await records.changing(await records.get(id), { guns: 7 });
    await main.write(writes);
  };
  const deep = Math.max(0, (await records.page({ limit: 1, offset: 0 })).total - 1000);
  return [
    { what: "one", of: BUDGET, run: got(`/${id}`) },
    { what: "turn's write", of: BUDGET, run: turn },
    { what: "page", of: BUDGET, run: got("?limit=10") },
    { what: "newest first", of: BUDGET, run: got("?limit=10&sort=-created_at") },
    { what: "filter that few pass", of: BUDGET, run: got("?limit=10&fleet=lost") },
    { what: "filter that half pass", of: "its matches are counted", run: got("?limit=10&fleet=south") },
    { what: "deep page", of: "the thousandth from the end, by the index", run: got(`?limit=10&offset=${deep}`) },
    { what: "search", of: "every row is looked at", run: got("?limit=10&q=Ship%203") },
    { what: "search that finds nothing", of: "every row is looked at", run: got("?limit=10&q=zeppelin") },
    { what: "one of a list's words", of: "every row is looked at", run: got("?limit=10&tags=no3") },
  ] as const;
}

/** Returns the medians of several calls, measured in turn. */
async function measureMedians(...works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const begun = performance.now();
      await work();
      times[index]?.push(performance.now() - begun);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN);
}

// A hit of a cache beside a read of the same vector from a table of the main database, one and 200 at once.
// node --conditions=@parley/source tests/bench/caches.ts
import { Caches, Databases, fixedStatement } from "@parley/core";
import { startParley } from "../harness/parley.ts";

const ENTRIES = 5_000;
const ROUNDS = 200;
/** A vector of 1,536 numbers in base64. */
const VECTOR = Buffer.alloc(6_144, 7).toString("base64");

await using parley = await startParley();
const { main } = parley.host.get(Databases);
const keys = Array.from({ length: ENTRIES }, (_, at) => `key ${at}`);
const cache = parley.host.get(Caches).open<string>("bench", { ttlMs: 60_000, max: ENTRIES });
await main.migrate("bench", [
  {
    id: "001-vectors",
    up: (db) =>
      db.schema
        .createTable("vectors")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("vector", "text", (column) => column.notNull())
        .execute(),
  },
]);
const tables = main.tables<{ readonly vectors: { readonly key: string; readonly vector: string } }>();
const INSERT = "insert into vectors (key, vector) values (?, ?)";
const written = await measure(() => main.write(keys.map((key) => ({ query: fixedStatement(INSERT, [key, VECTOR]) }))));
const cached = await measure(() => cache.setMany(new Map(keys.map((key) => [key, VECTOR]))));
console.log(
  `${ENTRIES} writes: table ${written.toFixed(0)} ms, cache ${cached.toFixed(0)} ms, ratio ${(cached / written).toFixed(2)}`,
);

for (const count of [1, 200]) {
  const samples = { table: [] as number[], cache: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const some = Array.from({ length: count }, (_, at) => keys[(round * 211 + at) % ENTRIES] ?? "");
    samples.table.push(
      await measure(() => tables.selectFrom("vectors").selectAll().where("key", "in", some).execute()),
    );
    samples.cache.push(await measure(() => cache.getMany(some)));
  }
  const [table, hit] = [median(samples.table), median(samples.cache)];
  console.log(
    `${count} hits: table ${table.toFixed(3)} ms, cache ${hit.toFixed(3)} ms, ratio ${(hit / table).toFixed(2)}`,
  );
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

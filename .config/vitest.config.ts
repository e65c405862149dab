import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { attackSummary } from "../tests/attack/summary.ts";

const conditions = ["@parley/source"];
const LONG = /\.long\.test\.ts$/;
const BROWSER = /\/tests\/browser\//;
const SERVICES = /\/tests\//;
/** `npm test` leaves out the long ones, `npm run test:long` runs nothing else. */
const chosen = process.env.PARLEY_TESTS;
const kinds = chosen === "long" ? ".long.test.ts" : ".test.ts";

/**
 * Small files come last, and some of those that start services take longest: they begin before what takes moments, so that
 * nothing waits for them alone. A browser keeps a core busy, other long tests mostly wait: they go side by side.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const some = (is: (path: string) => boolean) => sorted.filter(({ moduleId }) => is(moduleId));
    const long = mixed(
      some((path) => LONG.test(path) && BROWSER.test(path)),
      some((path) => LONG.test(path) && !BROWSER.test(path)),
    );
    const short = sorted.filter((file) => !long.includes(file));
    const rank = ({ moduleId }: TestSpecification) => (SERVICES.test(moduleId) ? 0 : 1);
    return [...long, ...short.toSorted((a, b) => rank(a) - rank(b))];
  }
}

/** Each list in its own order, and at any place as much of the one as of the other. */
function mixed<Item>(...lists: readonly (readonly Item[])[]): readonly Item[] {
  const placed = lists.flatMap((list) => list.map((item, at) => ({ item, place: (at + 0.5) / list.length })));
  return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      `{core,host,tests}/**/*${kinds}`,
      `{plugins,adapters,examples}/*/src/**/*${kinds}`,
      `adapters/web/console/src/**/*${kinds}`,
    ],
    // A template is killed as the package that is made of it.
    exclude: [
      "**/dist/**",
      "**/node_modules/**",
      "host/create/templates/**/*.long.test.ts",
      ...(chosen === "short" ? ["**/*.long.test.ts"] : []),
    ],
    environment: "node",
    globalSetup: [
      "tests/harness/temporary-folder.ts",
      "tests/harness/postgres-storage.ts",
      "tests/harness/chosen-files.ts",
    ],
    setupFiles: ["tests/harness/quick-passwords.ts"],
    pool: "forks",
    // Files share a process and what it has loaded; a worker's browser too. Nothing may be left behind by a test.
    isolate: false,
    // Most tests wait for something: three at a time, also where there are only two cores.
    maxWorkers: 3,
    // Where everything runs at once on a busy machine a test that fails is tried once more, and said to have been.
    retry: process.env.CI === undefined ? 0 : 1,
    sequence: { sequencer: LongFirst },
    execArgv: ["--conditions=@parley/source"],
    // A machine that has much to do is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", attackSummary()],
  },
});

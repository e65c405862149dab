import { defineConfig } from "vitest/config";

const conditions = ["@parley/source"];

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      "{core,host,tests}/**/*.test.ts",
      "{plugins,adapters,examples}/*/src/**/*.test.ts",
      "adapters/web/console/src/**/*.test.ts",
    ],
    exclude: ["**/dist/**", "**/node_modules/**"],
    environment: "node",
    pool: "forks",
    // Most tests wait for something: three at a time, also where there are only two cores.
    maxWorkers: 3,
    execArgv: ["--conditions=@parley/source"],
    testTimeout: 20_000,
  },
});

import { findPostgresPrograms } from "../tests/harness/servers/postgres.ts";
import base from "./vitest.config.ts";

const programs = findPostgresPrograms();
if (programs) process.env.PARLEY_STORAGE = "postgres";
else process.stderr.write("flows on PostgreSQL: skipped, it is not installed (apt-get install postgresql)\n");

/** Runs the tests in tests/flows with services that store their rows on a PostgreSQL server. */
export default {
  ...base,
  test: {
    ...base.test,
    include: programs ? ["tests/flows/*.test.ts"] : [],
    // Tests of services that store nothing, or only files.
    exclude: [
      "**/dist/**",
      "**/node_modules/**",
      "**/{channel-files,files-in-bucket,large-files,libre-office,markdown-cost,markdown-forms}.long.test.ts",
      "**/{mcp-conformance-client,mcp-inspector,replay,scale}.long.test.ts",
    ],
    passWithNoTests: true,
  },
};

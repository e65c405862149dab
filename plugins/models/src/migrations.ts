import type { Migration } from "@parley/core";
import { createEmbeddingTable } from "./calls/embedding-cache.ts";
import { createUsageTable } from "./usage/token-usage.ts";

/** Forward only; a released step is never changed. */
export const MODEL_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-token-usage", "002-embedding-cache"],
    async up(db) {
      await createUsageTable(db);
      await createEmbeddingTable(db);
    },
  },
];

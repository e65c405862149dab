import { AppError, type ItemFailure, type VectorComparing, type Write } from "@parley/core";
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { textIndexTexts } from "./texts.ts";

const UPDATE_EXTENSION = "alter extension vector update";
/** First version with iterative scans, which continue under a filter until enough is found. */
const MIN_VERSION = [0, 8] as const;

/** Detects pgvector, and enables it if possible. */
export async function detectVectorComparison(
  tables: Kysely<unknown>,
  write: (writes: readonly Write[]) => Promise<unknown>,
): Promise<VectorComparing> {
  if (!(tables.getExecutor().adapter instanceof PostgresAdapter)) return { by: "each", detail: "" };
  const [found] = await readExtension(tables);
  const { installed, offered, is_reachable } = found ?? NO_EXTENSION;
  if (offered === null) return toOneByOneReason("not_installed");
  if (installed === null) {
    try {
      await write([{ query: { compile: () => sql`create extension if not exists vector`.compile(tables) } }]);
    } catch (error) {
      if (!AppError.is(error) || error.code === "unavailable") throw error;
      return toOneByOne(textIndexTexts.message("waits", { command: "create extension vector" }));
    }
    return detectVectorComparison(tables, write);
  }
  if (isOlder(installed))
    return toOneByOne(
      textIndexTexts.message("old", { version: installed, least: MIN_VERSION.join("."), command: UPDATE_EXTENSION }),
    );
  return is_reachable ? { by: "index", detail: `pgvector ${installed}` } : toOneByOneReason("out_of_reach");
}

const NO_EXTENSION: ExtensionRow = { installed: null, offered: null, is_reachable: 0 };

interface ExtensionRow {
  readonly installed: string | null;
  readonly offered: string | null;
  readonly is_reachable: number | boolean;
}

async function readExtension(tables: Kysely<unknown>): Promise<readonly ExtensionRow[]> {
  const query = sql<ExtensionRow>`(select (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as offered,
    to_regtype('halfvec') is not null as is_reachable)`;
  return (await tables.selectFrom(query.as("found")).selectAll().execute()) as readonly ExtensionRow[];
}

function toOneByOneReason(why: "not_installed" | "out_of_reach"): VectorComparing {
  return toOneByOne(textIndexTexts.message(why));
}

function toOneByOne({ error, detail }: ItemFailure): VectorComparing {
  return { by: "each", detail: error, ...(detail && { told: detail }) };
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]);
}

import { AppError, type ItemFailure, type VectorComparing, type Write } from "@parley/core";
import { type Kysely, PostgresAdapter, sql } from "kysely";
import { comparingWarning } from "./said-warnings.ts";

/** The first with searches that go on until enough is found, whatever they are narrowed to. */
const LEAST = [0, 8] as const;

/** Looks whether pgvector is there, and takes it where it can be had. */
export async function comparingOn(
  tables: Kysely<unknown>,
  write: (writes: readonly Write[]) => Promise<unknown>,
): Promise<VectorComparing> {
  if (!(tables.getExecutor().adapter instanceof PostgresAdapter)) return { by: "each", detail: "" };
  const [found] = await look(tables);
  const { installed, offered, is_reachable } = found ?? NOTHING;
  if (offered === null) return each("not_installed");
  if (installed === null) {
    try {
      await write([{ query: { compile: () => sql`create extension if not exists vector`.compile(tables) } }]);
    } catch (error) {
      if (!AppError.is(error) || error.code === "unavailable") throw error;
      return each("waits");
    }
    return comparingOn(tables, write);
  }
  if (isOlder(installed)) return oneByOne(comparingWarning("old", { version: installed, least: LEAST.join(".") }));
  return is_reachable ? { by: "index", detail: `pgvector ${installed}` } : each("out_of_reach");
}

const NOTHING: Found = { installed: null, offered: null, is_reachable: 0 };

interface Found {
  readonly installed: string | null;
  readonly offered: string | null;
  readonly is_reachable: number | boolean;
}

async function look(tables: Kysely<unknown>): Promise<readonly Found[]> {
  const query = sql<Found>`(select (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as offered,
    to_regtype('halfvec') is not null as is_reachable)`;
  return (await tables.selectFrom(query.as("found")).selectAll().execute()) as readonly Found[];
}

function each(why: "not_installed" | "out_of_reach" | "waits"): VectorComparing {
  return oneByOne(comparingWarning(why));
}

function oneByOne({ error, detail }: ItemFailure): VectorComparing {
  return { by: "each", detail: error, ...(detail && { told: detail }) };
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1]);
}

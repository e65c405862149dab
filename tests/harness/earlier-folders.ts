import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ARCHIVE_LIMITS, openArchive } from "@parley/core/archive";
import { expect } from "vitest";
import { createClient } from "./http/client.ts";
import type { Parley } from "./parley.ts";

/** A check that reads data of an earlier version. */
interface DataCheck {
  readonly what: string;
  readonly path: string;
  readonly expect: object;
  /** Id to find among the `items` of the response. */
  readonly id?: string;
}

/** The content of an earlier version's data folder. */
export interface EarlierData {
  /** One of its API keys. */
  readonly secret: string;
  readonly reads: readonly DataCheck[];
}

const FOLDERS = join(import.meta.dirname, "..", "fixtures", "data-folders");

/** Oldest version whose data folders this version starts with. */
export const OLDEST_VERSION = "0.1.0";

/** Returns the versions with a stored data folder. */
export function listEarlierVersions(): readonly string[] {
  return readdirSync(FOLDERS).flatMap((name) => /^(.+)\.zip$/.exec(name)?.[1] ?? []);
}

/** Unpacks the data folder of a version into `root`. */
export async function unpackEarlierFolder(root: string, version: string): Promise<EarlierData> {
  // Databases compress very well, above the default ratio.
  const limits = { ...ARCHIVE_LIMITS, maxRatio: 10_000 };
  let data: EarlierData | undefined;
  for (const { name, bytes } of openArchive(readFileSync(join(FOLDERS, `${version}.zip`)), limits)) {
    const content = await bytes();
    if (name === "made.json") data = JSON.parse(Buffer.from(content).toString());
    else {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content, { mode: 0o600 });
    }
  }
  if (!data) throw new Error(`${version}.zip does not describe its content`);
  return data;
}

/** Reads all data of an earlier version from a running service, with an API key of that version. */
export async function expectEarlierData({ address }: Parley, { secret, reads }: EarlierData): Promise<void> {
  const api = createClient(address, secret);
  for (const { what, path, id, expect: expected } of reads) {
    const found = await api.get<object>(path);
    expect(id === undefined ? found : findById(found, id), what).toMatchObject(expected);
  }
}

/** Finds the object with an id at any depth. */
function findById(found: unknown, id: string): unknown {
  if (typeof found !== "object" || found === null) return undefined;
  if ("id" in found && found.id === id) return found;
  return Object.values(found).reduce<unknown>((there, inner) => there ?? findById(inner, id), undefined);
}

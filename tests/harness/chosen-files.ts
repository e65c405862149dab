import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChosenStorage } from "./chosen-storage.ts";
import type { S3Server } from "./s3-server.ts";

/** In an operator's folder of a test: the bucket of its files. */
const BUCKET_NOTE = ".bucket";

let chosen: S3Server | undefined;

/** From here on services of tests keep their files in buckets of this server; undefined: in their data folders. */
export function keepFilesIn(server: S3Server | undefined): void {
  chosen = server;
}

/** What a service of a test is told of where its files lie: nothing, or its bucket. */
export async function filesFor(root: string, server = chosen): Promise<ChosenStorage> {
  if (server === undefined) return { config: "", env: {} };
  const note = join(root, BUCKET_NOTE);
  if (!existsSync(note)) writeFileSync(note, await server.makeBucket());
  return { config: bucketConfig(server.endpoint, readFileSync(note, "utf8")), env: server.env };
}

export function bucketConfig(endpoint: string, bucket: string, more = ""): string {
  return `[plugins]\ns3 = @parley/plugin-s3\n[plugin.s3]\nendpoint = ${endpoint}\nbucket = ${bucket}\n${more}`;
}

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChosenStorage } from "./chosen-storage.ts";
import { hasS3Server, makeBucket, S3_ENV, startS3Server } from "./s3-server.ts";

/** In an operator's folder of a test: the bucket of its files. */
const BUCKET_NOTE = ".bucket";
/** The variable with the endpoint of the tests' server, where services keep their files in buckets. */
const ENDPOINT = "PARLEY_TEST_S3";

/** From here on services of this process keep their files in buckets of this server; undefined: in their data folders. */
export function keepFilesIn(endpoint: string | undefined): void {
  if (endpoint === undefined) delete process.env[ENDPOINT];
  else process.env[ENDPOINT] = endpoint;
}

/** What a service of a test is told of where its files lie: nothing, or its bucket; one that goes on finds them again. */
export async function filesFor(root: string): Promise<ChosenStorage> {
  const endpoint = process.env[ENDPOINT];
  if (endpoint === undefined) return { config: "", env: {} };
  const note = join(root, BUCKET_NOTE);
  if (!existsSync(note)) writeFileSync(note, await makeBucket(endpoint));
  return { config: bucketConfig(endpoint, readFileSync(note, "utf8")), env: S3_ENV };
}

export function bucketConfig(endpoint: string, bucket: string, more = ""): string {
  return `[plugins]\ns3 = @parley/plugin-s3\n[plugin.s3]\nendpoint = ${endpoint}\nbucket = ${bucket}\n${more}`;
}

/** With `PARLEY_FILES=s3`: one server for a run of tests, whose services keep their files there. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PARLEY_FILES !== "s3") return undefined;
  if (!hasS3Server) throw new Error("PARLEY_FILES=s3: Swift is not installed (see .ci/run)");
  const server = await startS3Server();
  keepFilesIn(server.endpoint);
  return async () => {
    keepFilesIn(undefined);
    await server[Symbol.asyncDispose]();
  };
}

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChosenStorage } from "./chosen-storage.ts";
import { hasS3Server, makeBucket, S3_ENV, startS3Server } from "./servers/s3-server.ts";

/** File in a test's service folder that contains the name of its bucket. */
const BUCKET_FILE = ".bucket";
/** Variable with the endpoint of the tests' server for services that store files in buckets. */
const ENDPOINT_VARIABLE = "PARLEY_TEST_S3";

/** Makes services of this process store files in buckets of this server; undefined for their data folders. */
export function setFilesEndpoint(endpoint: string | undefined): void {
  if (endpoint === undefined) delete process.env[ENDPOINT_VARIABLE];
  else process.env[ENDPOINT_VARIABLE] = endpoint;
}

/** Prepares a test service's file storage: none, or its bucket; a restarted service finds its files again. */
export async function prepareFiles(root: string): Promise<ChosenStorage> {
  const endpoint = process.env[ENDPOINT_VARIABLE];
  if (endpoint === undefined) return { config: "", env: {} };
  const note = join(root, BUCKET_FILE);
  if (!existsSync(note)) writeFileSync(note, await makeBucket(endpoint));
  return { config: toBucketConfig(endpoint, readFileSync(note, "utf8")), env: S3_ENV };
}

export function toBucketConfig(endpoint: string, bucket: string, more = ""): string {
  return `[plugins]\ns3 = @parley/plugin-s3\n[plugin.s3]\nendpoint = ${endpoint}\nbucket = ${bucket}\n${more}`;
}

/** With `PARLEY_FILES=s3`: starts one server for the test run, where all services store their files. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PARLEY_FILES !== "s3") return undefined;
  if (!hasS3Server) throw new Error("PARLEY_FILES=s3: Swift is not installed (see .ci/run)");
  const server = await startS3Server();
  setFilesEndpoint(server.endpoint);
  return async () => {
    setFilesEndpoint(undefined);
    await server[Symbol.asyncDispose]();
  };
}

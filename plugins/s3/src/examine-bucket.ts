import { AppError, type SecretBox } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { S3Config } from "./config.ts";
import { Refused, reasonOf } from "./failures.ts";
import { textsIn } from "./xml.ts";

/** In the bucket: whose the files beside it are. */
const OWNER = "_owner";
const OURS = "parley";

export interface ExamineParts {
  readonly bucket: Bucket;
  readonly config: S3Config;
  readonly secrets: SecretBox;
}

/**
 * Throws `unavailable` with the one sentence that says why the bucket cannot be used, and the way out. What it keeps is noted as
 * this service's: another one, with a key of its own, would remove what it has no rows of.
 */
export async function examineBucket({ bucket, config, secrets }: ExamineParts): Promise<void> {
  const key = config.prefix + OWNER;
  const folder = `the folder '${config.prefix}' of the ${bucket.place}`;
  // Before the note: who stores something there has left it first.
  const isEmpty = (await namesIn(bucket, config)).length === 0;
  try {
    const noted = await bucket.ask({ method: "GET", key }).catch(unlessMissing);
    if (!noted && !isEmpty) {
      throw refusal(`${folder} holds objects that are none of Parley's: choose another prefix`);
    }
    const sealed = (await noted?.text()) ?? secrets.seal(OURS, OWNER);
    if (!isOurs(sealed, secrets)) {
      const way = `choose another prefix, or remove '${key}' there when its files are this service's`;
      throw refusal(`${folder} belongs to another Parley: ${way}`);
    }
    // Whether it can be written to.
    const headers = { "content-type": "text/plain", "content-length": String(Buffer.byteLength(sealed)) };
    await bucket.ask({ method: "PUT", key, headers, body: () => sealed });
  } catch (error) {
    throw unusable(error, bucket, config);
  }
}

/** Only whether it is there and can be asked; nothing is written. */
export async function reachBucket(bucket: Bucket, config: S3Config, signal?: AbortSignal): Promise<void> {
  await namesIn(bucket, config, signal);
}

/** The first of the names there. */
async function namesIn(bucket: Bucket, config: S3Config, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const query = { "list-type": "2", "max-keys": "1", prefix: config.prefix };
    const answer = await bucket.ask({ method: "GET", query, signal });
    return textsIn(await answer.text(), "Key");
  } catch (error) {
    throw unusable(error, bucket, config);
  }
}

function refusal(sentence: string): AppError {
  return new AppError("unavailable", sentence);
}

function unusable(error: unknown, { place }: Bucket, config: S3Config): AppError {
  if (AppError.is(error) && error.code === "unavailable") return error;
  const said = error instanceof Refused ? WAYS[error.code]?.(config) : undefined;
  const why = said ?? `cannot be used: ${reasonOf(error)}`;
  return new AppError("unavailable", `the ${place} ${why}`, { cause: error });
}

type Way = (config: S3Config) => string;

const wrongKey: Way = ({ access_key_env, secret_key_env }) =>
  `refuses the key in ${access_key_env} and ${secret_key_env}`;
const otherRegion: Way = ({ region }) => `is not in the region '${region}': set region, and the region's own endpoint`;

/** By the codes of S3. */
const WAYS: Readonly<Record<string, Way>> = {
  InvalidAccessKeyId: wrongKey,
  SignatureDoesNotMatch: wrongKey,
  NoSuchBucket: ({ bucket }) => `does not exist: make the bucket '${bucket}' there`,
  AccessDenied: () => "gives this key too few rights: it lists, reads, writes and removes objects",
  RequestTimeTooSkewed: () => "has another time than this machine: set its clock (timedatectl set-ntp true)",
  PermanentRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
};

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Refused) || error.status !== 404) throw error;
}

function isOurs(sealed: string, secrets: SecretBox): boolean {
  try {
    return secrets.open(sealed, OWNER) === OURS;
  } catch {
    // It was sealed with another key, or is nothing of ours.
    return false;
  }
}

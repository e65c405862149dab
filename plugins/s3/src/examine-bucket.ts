import { AppError, type SecretBox } from "@parley/core";
import type { Bucket } from "./bucket.ts";
import type { S3Config } from "./config.ts";
import { BucketError, toReason } from "./errors.ts";
import { getElementTexts } from "./xml.ts";

/** Object in the bucket that names the owner of its files. */
const OWNER_KEY = "_owner";
const OWNER_MARK = "parley";

export interface ExamineDeps {
  readonly bucket: Bucket;
  readonly config: S3Config;
  readonly secrets: SecretBox;
}

/**
 * Checks the bucket; throws `unavailable` with the reason and a remedy. Marks the bucket as this service's, since
 * another one with its own key would remove files it has no rows for.
 */
export async function examineBucket({ bucket, config, secrets }: ExamineDeps): Promise<void> {
  const key = config.prefix + OWNER_KEY;
  const folder = `the folder '${config.prefix}' of the ${bucket.location}`;
  // Listed before the owner object is read: a service that stores files has written that object first.
  const isEmpty = (await listFirstName(bucket, config)).length === 0;
  try {
    const noted = await bucket.request({ method: "GET", key }).catch(ignoreMissing);
    if (!noted && !isEmpty) {
      throw createUnavailableError(`${folder} holds objects that are none of Parley's: choose another prefix`);
    }
    const sealed = (await noted?.text()) ?? secrets.seal(OWNER_MARK, OWNER_KEY);
    if (!isOurs(sealed, secrets)) {
      const way = `choose another prefix, or remove '${key}' there when its files are this service's`;
      throw createUnavailableError(`${folder} belongs to another Parley: ${way}`);
    }
    // Written at each start, to check that the bucket is writable.
    const headers = { "content-type": "text/plain", "content-length": String(Buffer.byteLength(sealed)) };
    await bucket.request({ method: "PUT", key, headers, body: () => sealed });
  } catch (error) {
    throw toUnusableError(error, bucket, config);
  }
}

/** Checks that the bucket exists and is accessible; writes nothing. */
export async function reachBucket(bucket: Bucket, config: S3Config, signal?: AbortSignal): Promise<void> {
  await listFirstName(bucket, config, signal);
}

/** Returns the first name that begins with the prefix, in a list; an empty list when there is none. */
async function listFirstName(bucket: Bucket, config: S3Config, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const query = { "list-type": "2", "max-keys": "1", prefix: config.prefix };
    const answer = await bucket.request({ method: "GET", query, signal });
    return getElementTexts(await answer.text(), "Key");
  } catch (error) {
    throw toUnusableError(error, bucket, config);
  }
}

function createUnavailableError(sentence: string): AppError {
  return new AppError("unavailable", sentence);
}

function toUnusableError(error: unknown, { location: place }: Bucket, config: S3Config): AppError {
  if (AppError.is(error) && error.code === "unavailable") return error;
  const description = error instanceof BucketError ? DESCRIBE_BY_CODE[error.code]?.(config) : undefined;
  const why = description ?? `cannot be used: ${toReason(error)}`;
  return new AppError("unavailable", `the ${place} ${why}`, { cause: error });
}

type DescribeProblem = (config: S3Config) => string;

const describeWrongKey: DescribeProblem = ({ access_key_env, secret_key_env }) =>
  `refuses the key in ${access_key_env} and ${secret_key_env}`;
const describeOtherRegion: DescribeProblem = ({ region }) =>
  `is not in the region '${region}': set region, and the region's own endpoint`;

/** Problems by S3 error code. */
const DESCRIBE_BY_CODE: Readonly<Record<string, DescribeProblem>> = {
  InvalidAccessKeyId: describeWrongKey,
  SignatureDoesNotMatch: describeWrongKey,
  NoSuchBucket: ({ bucket }) => `does not exist: make the bucket '${bucket}' there`,
  AccessDenied: () => "gives this key too few rights: it lists, reads, writes and removes objects",
  RequestTimeTooSkewed: () => "has another time than this machine: set its clock (timedatectl set-ntp true)",
  PermanentRedirect: describeOtherRegion,
  AuthorizationHeaderMalformed: describeOtherRegion,
};

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof BucketError) || error.status !== 404) throw error;
}

function isOurs(sealed: string, secrets: SecretBox): boolean {
  try {
    return secrets.open(sealed, OWNER_KEY) === OWNER_MARK;
  } catch {
    // Encrypted with another key, or not written by this software.
    return false;
  }
}

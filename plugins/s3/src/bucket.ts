import { setTimeout as wait } from "node:timers/promises";
import { AppError, type Egress, type Environment } from "@parley/core";
import { AwsV4Signer } from "aws4fetch";
import type { S3Config } from "./config.ts";
import { toBucketError } from "./errors.ts";

/** Larger than the largest file that the service accepts. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Delays before retries of repeatable requests, for servers that ask to slow down or drop idle connections. */
const RETRY_DELAYS_MS = [100, 500] as const;
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

export interface BucketRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Key with its prefix; without it, the request is for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Creates the body for each attempt. */
  readonly body?: () => NonNullable<RequestInit["body"]>;
  readonly signal?: AbortSignal | undefined;
}

/** Accesses one bucket by signed requests. */
export interface Bucket {
  /** Name for people, such as `bucket 'parley' at https://…`. */
  readonly location: string;
  /** Resolves to a response with status 200 to 299. Throws `BucketError` for another status, and `AppError` without a response. */
  request(asked: BucketRequest): Promise<Response>;
}

export interface BucketDeps {
  readonly config: S3Config;
  readonly environment: Environment;
  readonly egress: Pick<Egress, "fetch">;
}

export function createBucket({ config, environment, egress }: BucketDeps): Bucket {
  const { endpoint, bucket, path_style, region } = config;
  const base = new URL(endpoint);
  // The operator may name a server in the private network.
  const send = egress.fetch({ reach: "private", timeoutMs: config.timeout_s * 1_000, maxBytes: MAX_BYTES });
  const keys = new Map<string, ArrayBuffer>();
  const buildUrl = ({ key, query }: BucketRequest): URL => {
    const url = new URL(base);
    if (!path_style) url.hostname = `${bucket}.${url.hostname}`;
    const folder = base.pathname.replace(/\/+$/, "") + (path_style ? `/${bucket}` : "");
    const path = key === undefined ? "" : `/${key.split("/").map(encodeURIComponent).join("/")}`;
    url.pathname = folder + path || "/";
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    return url;
  };
  const sendOnce = async (asked: BucketRequest): Promise<Response> => {
    const { method, headers = {}, body, signal } = asked;
    const url = buildUrl(asked).href;
    const secrets = readKeys(config, environment);
    const signed = await new AwsV4Signer({
      method,
      url,
      headers,
      ...secrets,
      region,
      service: "s3",
      cache: keys,
    }).sign();
    const init: RequestInit = { method, headers: Object.fromEntries(signed.headers), signal: signal ?? null };
    return send(signed.url, body ? { ...init, body: body() } : init);
  };
  return {
    location: `bucket '${bucket}' at ${base.origin}`,
    async request(asked) {
      for (let tries = 0; ; tries += 1) {
        const pause = RETRY_DELAYS_MS[tries];
        const answer = await sendOnce(asked).catch((error) => {
          if (pause === undefined || !isNetworkError(error)) throw error;
        });
        if (answer?.ok) return answer;
        if (answer && (pause === undefined || !TRANSIENT_STATUSES.has(answer.status)))
          throw await toBucketError(answer);
        await answer?.body?.cancel();
        await wait(pause, undefined, { signal: asked.signal });
      }
    },
  };
}

function isNetworkError(error: unknown): boolean {
  return AppError.is(error) && error.code === "upstream_failed";
}

/** Reads the bucket's key from its variables; throws when one of them is missing. */
export function readKeys({ access_key_env, secret_key_env }: S3Config, environment: Environment) {
  return {
    accessKeyId: readSecret(access_key_env, environment),
    secretAccessKey: readSecret(secret_key_env, environment),
  };
}

function readSecret(name: string, environment: Environment): string {
  const secret = environment.secret(name);
  if (secret !== undefined) return secret;
  throw new AppError("bad_request", `the variable ${name} is not set: it holds a part of the bucket's key`);
}

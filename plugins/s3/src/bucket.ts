import { setTimeout as wait } from "node:timers/promises";
import { AppError, type Egress, type Environment } from "@parley/core";
import { AwsV4Signer } from "aws4fetch";
import type { S3Config } from "./config.ts";
import { refused } from "./failures.ts";

/** More than the largest file that the service takes. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Servers ask to slow down, connections that waited are cut: what may be repeated is. */
const AGAIN_AFTER_MS = [100, 500] as const;
const MAY_PASS = new Set([408, 429, 500, 502, 503, 504]);

export interface Asked {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** With its prefix; absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try. */
  readonly body?: () => NonNullable<RequestInit["body"]>;
  readonly signal?: AbortSignal | undefined;
}

/** One bucket, asked with signed requests. */
export interface Bucket {
  /** `bucket 'parley' at https://…`. */
  readonly place: string;
  /** Answers of 200 to 299. Throws `Refused` for another one, and `AppError` where there was none. */
  ask(asked: Asked): Promise<Response>;
}

export interface BucketParts {
  readonly config: S3Config;
  readonly environment: Environment;
  readonly egress: Pick<Egress, "fetch">;
}

export function createBucket({ config, environment, egress }: BucketParts): Bucket {
  const { endpoint, bucket, path_style, region } = config;
  const base = new URL(endpoint);
  // Who writes config.ini may name a server of the own network.
  const send = egress.fetch({ reach: "private", timeoutMs: config.timeout_s * 1_000, maxBytes: MAX_BYTES });
  const keys = new Map<string, ArrayBuffer>();
  const addressOf = ({ key, query }: Asked): URL => {
    const url = new URL(base);
    if (!path_style) url.hostname = `${bucket}.${url.hostname}`;
    const folder = base.pathname.replace(/\/+$/, "") + (path_style ? `/${bucket}` : "");
    const path = key === undefined ? "" : `/${key.split("/").map(encodeURIComponent).join("/")}`;
    url.pathname = folder + path || "/";
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    return url;
  };
  const once = async (asked: Asked): Promise<Response> => {
    const { method, headers = {}, body, signal } = asked;
    const url = addressOf(asked).href;
    const secrets = {
      accessKeyId: secretIn(config.access_key_env, environment),
      secretAccessKey: secretIn(config.secret_key_env, environment),
    };
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
    place: `bucket '${bucket}' at ${base.origin}`,
    async ask(asked) {
      for (let tries = 0; ; tries += 1) {
        const pause = AGAIN_AFTER_MS[tries];
        const answer = await once(asked).catch((error) => {
          if (pause === undefined || !isOfTheWay(error)) throw error;
        });
        if (answer?.ok) return answer;
        if (answer && (pause === undefined || !MAY_PASS.has(answer.status))) throw await refused(answer);
        await answer?.body?.cancel();
        await wait(pause, undefined, { signal: asked.signal });
      }
    },
  };
}

function isOfTheWay(error: unknown): boolean {
  return AppError.is(error) && error.code === "upstream_failed";
}

function secretIn(name: string, environment: Environment): string {
  const secret = environment.secret(name);
  if (secret !== undefined) return secret;
  throw new AppError("bad_request", `the variable ${name} is not set: it holds a part of the bucket's key`);
}

import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pushTexts } from "./texts.ts";

const TOKEN_TTL_SECONDS = 12 * 3_600;

/** The P-256 key pair that identifies this service to push services. */
export interface VapidPair {
  /** The public key, with which browsers subscribe: a point of 65 bytes in base64url. */
  readonly publicKey: string;
  readonly privateKey: JsonWebKey;
}

/** Loads the key pair from `file`, and creates it at first. Throws `unavailable` when it can neither be read nor created. */
export function loadVapidPair(file: string): VapidPair {
  try {
    if (!existsSync(file)) createKeyFile(file);
    return toVapidPair(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw pushTexts.error("unavailable", "keys", {}, { cause });
  }
}

function createKeyFile(file: string): void {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${JSON.stringify(privateKey.export({ format: "jwk" }))}\n`, { mode: 0o600, flag: "wx" });
    chmodSync(file, 0o600);
  } catch (error) {
    // Another process of the installation was first.
    if ((error as { readonly code?: string }).code !== "EEXIST") throw error;
  }
}

function toVapidPair(privateKey: JsonWebKey): VapidPair {
  createPrivateKey({ key: privateKey, format: "jwk" });
  const point = [Buffer.of(4), ...[privateKey.x, privateKey.y].map((text) => Buffer.from(text ?? "", "base64url"))];
  return { publicKey: Buffer.concat(point).toString("base64url"), privateKey };
}

/** Creates the `Authorization` of a request (RFC 8292), signed for the push service's origin and half a day. */
export function createVapidHeader(
  { publicKey, privateKey }: VapidPair,
  endpoint: URL,
  subject: string,
  nowMs: number,
): string {
  const claims = { aud: endpoint.origin, exp: Math.floor(nowMs / 1000) + TOKEN_TTL_SECONDS, sub: subject };
  const text = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = createPrivateKey({ key: privateKey, format: "jwk" });
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return `vapid t=${text}.${signature}, k=${publicKey}`;
}

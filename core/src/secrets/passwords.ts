import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { isEqualSecret } from "./equal-secret.ts";

const COST = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
const deriveKey = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Returns the hash of a password as `scrypt$N$r$p$<salt>$<hash>`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password.normalize("NFKC"), salt, KEY_BYTES, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Verifies a password in constant time: when there is no stored hash, another one is computed instead. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = (stored ?? PLACEHOLDER_HASH).split("$");
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const derived = await deriveKey(password.normalize("NFKC"), Buffer.from(salt, "base64"), KEY_BYTES, cost);
  const isSame = isEqualSecret(derived, Buffer.from(hash, "base64"));
  return isSame && stored !== undefined;
}

const PLACEHOLDER_HASH = [
  "scrypt",
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(16).toString("base64"),
  Buffer.alloc(KEY_BYTES).toString("base64"),
].join("$");

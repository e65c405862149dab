import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isEqualSecret } from "@parley/core/secrets";

const KEY_SIZE = 32;
const MAX_TTL_SECONDS = 3_600;

/** Signs links that show one stored file to anyone who has them, for a limited time. */
export interface SignedLinks {
  /** Returns `?exp=…&sig=…` for a path. */
  sign(path: string, seconds: number): string;
  isValid(path: string, query: Readonly<Record<string, string | undefined>>): boolean;
}

export function createSignedLinks(key: () => Buffer, nowMs: () => number): SignedLinks {
  const signature = (path: string, until: string) =>
    createHmac("sha256", key()).update(`${path}\n${until}`).digest("base64url");
  return {
    sign(path, seconds) {
      const until = String(Math.floor(nowMs() / 1_000) + Math.min(Math.max(1, Math.floor(seconds)), MAX_TTL_SECONDS));
      return `?exp=${until}&sig=${signature(path, until)}`;
    },
    isValid(path, { exp, sig }) {
      if (typeof exp !== "string" || typeof sig !== "string" || !/^\d{1,12}$/.test(exp)) return false;
      return isEqualSecret(sig, signature(path, exp)) && Number(exp) * 1_000 > nowMs();
    },
  };
}

/** Loads the key from a file, which is created the first time. */
export function loadLinkKey(file: string): Buffer {
  const read = () => Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(KEY_SIZE).toString("base64"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return read();
}

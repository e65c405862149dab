import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { SecretBox } from "@parley/core";
import { recordsTexts } from "./texts.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1";

/** Creates a box that encrypts with the current key; the text is `v1.<nonce, ciphertext and tag in base64url>`. */
export function createSecretBox(key: () => Buffer): SecretBox {
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString("base64url")}`;
    },
    open(sealed, owner) {
      const [version, text = ""] = sealed.split(".");
      const bytes = Buffer.from(text, "base64url");
      try {
        if (version !== VERSION) throw new Error("unknown form");
        const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch (cause) {
        throw recordsTexts.error("unavailable", "sealed", {}, { cause });
      }
    },
  };
}

/** Returns the key of `SVC_SECRET_KEY` (32 bytes in hex or base64, or any text), else that of the key file, which is created when missing. */
export function loadSecretKey(given: string | undefined, file: string): Buffer {
  if (given) return parseKey(given);
  if (existsSync(file)) return Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  const key = randomBytes(KEY_BYTES);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${key.toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(file, 0o600);
  return key;
}

function parseKey(text: string): Buffer {
  for (const encoding of ["hex", "base64"] as const) {
    const bytes = Buffer.from(text, encoding);
    if (bytes.length === KEY_BYTES && bytes.toString(encoding).replace(/=+$/, "") === text.replace(/=+$/, ""))
      return bytes;
  }
  return scryptSync(text, "parley secret box", KEY_BYTES);
}

import { createCipheriv, createDecipheriv, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { type ArchiveFile, openArchive, writeArchive } from "@parley/core/archive";

const TAG_BYTES = 16;
const deriveKey = promisify<string, Buffer, number, object, Buffer>((...parts) => scrypt(...parts));

/** Repacks a configuration package with other content under the same password, as an attacker who knows it could. */
export async function repackConfigPackage(
  whole: Uint8Array,
  password: string,
  files: readonly ArchiveFile[],
): Promise<Uint8Array> {
  const entries = openArchive(whole);
  const head = (await entries.find(({ name }) => name === "manifest.json")?.bytes()) ?? new Uint8Array();
  const { kdf, nonce } = JSON.parse(Buffer.from(head).toString());
  const key = await deriveKey(password, Buffer.from(kdf.salt, "base64"), 32, { N: kdf.n, r: kdf.r, p: kdf.p });
  const cipher = createCipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64")).setAAD(head);
  const payload = Buffer.concat([cipher.update(await writeArchive(files)), cipher.final(), cipher.getAuthTag()]);
  return writeArchive([
    { name: "manifest.json", bytes: head },
    { name: "payload.bin", bytes: payload },
  ]);
}

/** Decrypts a configuration package and returns its files. */
export async function readConfigPackage(whole: Uint8Array, password: string): Promise<readonly ArchiveFile[]> {
  const entries = openArchive(whole);
  const toBytes = async (name: string) =>
    (await entries.find((entry) => entry.name === name)?.bytes()) ?? new Uint8Array();
  const [head, payload] = [await toBytes("manifest.json"), await toBytes("payload.bin")];
  const { kdf, nonce } = JSON.parse(Buffer.from(head).toString());
  const key = await deriveKey(password, Buffer.from(kdf.salt, "base64"), 32, { N: kdf.n, r: kdf.r, p: kdf.p });
  const at = payload.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"))
    .setAAD(head)
    .setAuthTag(payload.subarray(at));
  const content = openArchive(Buffer.concat([decipher.update(payload.subarray(0, at)), decipher.final()]));
  return Promise.all(content.map(async ({ name, bytes }) => ({ name, bytes: await bytes() })));
}

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import Joi from "@hapi/joi";
import { AppError, type TransferSecrets, toLocalized, toSchemaError, toSharedError } from "@parley/core";
import {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveFile,
  isArchive,
  openArchive,
  writeArchive,
} from "@parley/core/archive";
import { readJson } from "@parley/core/http";
import { operationsTexts } from "../texts.ts";

const FORMAT = "parley-config";
const VERSION = 1;
const CIPHER = "AES-256-GCM";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Equal to that of account passwords. */
const SCRYPT_COST = { n: 32_768, r: 8, p: 1 };
/** Maximum memory and time a package may require. */
const MAX_SCRYPT_COST = { n: 131_072, r: 16, p: 4, memory: 128 * 1024 * 1024 };
const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_CONFIG_BYTES = 50 * 1024 * 1024;
const MAX_DEPTH = 64;
const PORTRAITS_FOLDER = "portraits/";

/** Content of the encrypted part. */
export interface PackageContent {
  readonly sections: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, TransferSecrets>>;
  /** Portraits by file name. */
  readonly portraits: ReadonlyMap<string, Uint8Array>;
}

export interface PackageFacts {
  readonly created_at: string;
  readonly product_version: string;
  readonly sections: Readonly<Record<string, number>>;
  readonly includes_secrets: boolean;
}

interface Kdf {
  readonly name: "scrypt";
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
}

interface Manifest extends PackageFacts {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly kdf: Kdf;
  readonly cipher: typeof CIPHER;
  readonly nonce: string;
}

const base64Schema = (least: number, most: number) =>
  Joi.string().custom((text: string) => {
    const { length } = Buffer.from(text, "base64");
    if (length < least || length > most) throw new Error("of another length");
    return text;
  });
const integerUpTo = (most: number) => Joi.number().strict().integer().min(1).max(most).required();

const manifestSchema = Joi.object<Manifest>({
  format: Joi.valid(FORMAT).required(),
  version: Joi.valid(VERSION).required(),
  created_at: Joi.string().max(40).required(),
  product_version: Joi.string().max(40).required(),
  sections: Joi.object().pattern(Joi.string().max(40), Joi.number().integer().min(0)).max(100).required(),
  kdf: Joi.object({
    name: Joi.valid("scrypt").required(),
    n: integerUpTo(MAX_SCRYPT_COST.n).min(2),
    r: integerUpTo(MAX_SCRYPT_COST.r),
    p: integerUpTo(MAX_SCRYPT_COST.p),
    salt: base64Schema(8, 64).required(),
  }).required(),
  cipher: Joi.valid(CIPHER).required(),
  nonce: base64Schema(NONCE_BYTES, NONCE_BYTES).required(),
  includes_secrets: Joi.boolean().strict().required(),
});

const contentSchema = Joi.object({
  sections: Joi.object().required(),
  secrets: Joi.object().pattern(Joi.string(), Joi.object().pattern(Joi.string(), Joi.string())).required(),
});

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

function deriveKey(password: string, { n, r, p, salt }: Kdf): Promise<Buffer> {
  const cost = { N: n, r, p, maxmem: MAX_SCRYPT_COST.memory + 1024 * 1024 };
  return derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), KEY_BYTES, cost);
}

/** Builds the package: a readable manifest, and all other content encrypted and bound to the manifest. */
export async function sealPackage(
  { sections, secrets, portraits: pictures }: PackageContent,
  facts: PackageFacts,
  password: string,
): Promise<Uint8Array> {
  const kdf: Kdf = { name: "scrypt", ...SCRYPT_COST, salt: randomBytes(16).toString("base64") };
  const nonce = randomBytes(NONCE_BYTES);
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    ...facts,
    kdf,
    cipher: CIPHER,
    nonce: nonce.toString("base64"),
  };
  const head = Buffer.from(JSON.stringify(manifest, null, 2));
  const files = [
    { name: "config.json", bytes: Buffer.from(JSON.stringify({ sections, secrets })) },
    ...[...pictures].map(([name, bytes]) => ({ name: PORTRAITS_FOLDER + name, bytes })),
  ];
  rejectTooLarge(files);
  const content = await writeArchive(files);
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(password, kdf), nonce).setAAD(head);
  const payload = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  const whole = await writeArchive([
    { name: "manifest.json", bytes: head },
    { name: "payload.bin", bytes: payload },
  ]);
  if (whole.length > ARCHIVE_LIMITS.maxPackedBytes) throw createPackageTooLargeError();
  return whole;
}

/** Throws for content too large to be imported again. */
function rejectTooLarge(files: readonly ArchiveFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const config = files[0]?.bytes.length ?? 0;
  if (config > MAX_CONFIG_BYTES || bytes > ARCHIVE_LIMITS.maxBytes || files.length > ARCHIVE_LIMITS.maxEntries)
    throw createPackageTooLargeError();
}

/** Opens a package. `bad_request` for an invalid or modified one; `too_large` before it costs much memory or time. */
export async function openPackage(
  bytes: Uint8Array,
  password: string,
): Promise<PackageContent & { readonly facts: PackageFacts }> {
  if (!isArchive(bytes)) throw createNotAPackageError();
  const entries = openArchive(bytes);
  const [head, payload] = [findEntry(entries, "manifest.json"), findEntry(entries, "payload.bin")];
  if (!head || !payload || entries.length !== 2) throw createNotAPackageError();
  const headBytes = await readEntry(head, MAX_MANIFEST_BYTES);
  const facts = await readManifest(headBytes);
  const key = await deriveKey(password, facts.kdf);
  const content = decryptPayload(await readEntry(payload), headBytes, key, facts.nonce);
  return { ...(await readContent(content)), facts };
}

/** Reads the content within limits, since an archive bomb may have a valid password. */
async function readContent(bytes: Uint8Array): Promise<PackageContent> {
  try {
    const content = openArchive(bytes);
    const config = findEntry(content, "config.json");
    if (!config) throw createNotAPackageError();
    const found = await readJson(await config.bytes(MAX_CONFIG_BYTES), MAX_CONFIG_BYTES, { maxDepth: MAX_DEPTH });
    const { value, error } = contentSchema.validate(found);
    if (error) throw createNotAPackageError(error);
    const pictures = new Map<string, Uint8Array>();
    for (const entry of content) {
      if (entry.name.startsWith(PORTRAITS_FOLDER))
        pictures.set(entry.name.slice(PORTRAITS_FOLDER.length), await entry.bytes());
    }
    return { ...value, portraits: pictures };
  } catch (cause) {
    if (!AppError.is(cause)) throw cause;
    throw cause.code === "too_large"
      ? toSharedError("too_large", "package_too_large", {}, { cause })
      : createNotAPackageError(cause);
  }
}

function findEntry(entries: readonly ArchiveEntry[], name: string): ArchiveEntry | undefined {
  return entries.find((entry) => entry.name === name);
}

// The checksums of the archive detect a changed bit first.
async function readEntry(entry: ArchiveEntry, most?: number): Promise<Uint8Array> {
  try {
    return await entry.bytes(most);
  } catch (cause) {
    if (AppError.is(cause) && cause.code === "too_large")
      throw toSharedError("too_large", "package_too_large", {}, { cause });
    throw createAlteredError(cause);
  }
}

async function readManifest(bytes: Uint8Array): Promise<Manifest> {
  const found = await readJson(bytes, MAX_MANIFEST_BYTES).catch((cause: unknown) => {
    throw createNotAPackageError(cause);
  });
  const { format, version } = found as { readonly format?: unknown; readonly version?: unknown };
  if (format !== FORMAT) throw createNotAPackageError();
  const isNewer = typeof version === "number" && version > VERSION;
  if (isNewer) throw toSharedError("bad_request", "package_newer", { version });
  const { value, error } = manifestSchema.validate(found);
  if (error) throw operationsTexts.error("bad_request", "manifest", { reason: toLocalized(toSchemaError(error)) });
  const { n, r } = value.kdf;
  if (!Number.isInteger(Math.log2(n)) || 128 * n * r > MAX_SCRYPT_COST.memory)
    throw operationsTexts.error("bad_request", "kdf");
  return value;
}

function decryptPayload(payload: Uint8Array, head: Uint8Array, key: Buffer, nonce: string): Uint8Array {
  if (payload.length < TAG_BYTES) throw createAlteredError();
  const at = payload.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: TAG_BYTES })
    .setAAD(head)
    .setAuthTag(payload.subarray(at));
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, at)), decipher.final()]);
  } catch (cause) {
    throw createAlteredError(cause);
  }
}

function createPackageTooLargeError(): AppError {
  return operationsTexts.error("too_large", "package_large");
}

function createNotAPackageError(cause?: unknown): AppError {
  return toSharedError("bad_request", "not_a_package", {}, { cause });
}

/** Creates the same error for a wrong password and an altered package, so that guessing reveals nothing. */
function createAlteredError(cause?: unknown): AppError {
  return toSharedError("bad_request", "package_altered", {}, { cause });
}

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import Joi from "@hapi/joi";
import {
  AppError,
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveFile,
  explained,
  isArchive,
  openArchive,
  readJson,
  saidOf,
  schemaRefusal,
  type TransferSecrets,
  writeArchive,
} from "@parley/core";
import { operationsFailure } from "../said-failures.ts";

const FORMAT = "parley-config";
const VERSION = 1;
const CIPHER = "AES-256-GCM";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** As for passwords of accounts. */
const COST = { n: 32_768, r: 8, p: 1 };
/** What a package may ask of this machine, in memory and time. */
const MOST = { n: 131_072, r: 16, p: 4, memory: 128 * 1024 * 1024 };
const LARGEST_MANIFEST = 64 * 1024;
const LARGEST_CONFIG = 50 * 1024 * 1024;
const DEEPEST = 64;
const PICTURES = "portraits/";

/** What is inside the encrypted part. */
export interface PackageContent {
  readonly sections: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, TransferSecrets>>;
  /** By the last part of their address. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

export interface PackageFacts {
  readonly created_at: string;
  readonly product_version: string;
  /** How many records each section has. */
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

const base64 = (least: number, most: number) =>
  Joi.string().custom((text: string) => {
    const { length } = Buffer.from(text, "base64");
    if (length < least || length > most) throw new Error("of another length");
    return text;
  });
const upTo = (most: number) => Joi.number().strict().integer().min(1).max(most).required();

const manifestSchema = Joi.object<Manifest>({
  format: Joi.valid(FORMAT).required(),
  version: Joi.valid(VERSION).required(),
  created_at: Joi.string().max(40).required(),
  product_version: Joi.string().max(40).required(),
  sections: Joi.object().pattern(Joi.string().max(40), Joi.number().integer().min(0)).max(100).required(),
  kdf: Joi.object({
    name: Joi.valid("scrypt").required(),
    n: upTo(MOST.n).min(2),
    r: upTo(MOST.r),
    p: upTo(MOST.p),
    salt: base64(8, 64).required(),
  }).required(),
  cipher: Joi.valid(CIPHER).required(),
  nonce: base64(NONCE_BYTES, NONCE_BYTES).required(),
  includes_secrets: Joi.boolean().strict().required(),
});

const contentSchema = Joi.object({
  sections: Joi.object().required(),
  secrets: Joi.object().pattern(Joi.string(), Joi.object().pattern(Joi.string(), Joi.string())).required(),
});

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

function keyOf(password: string, { n, r, p, salt }: Kdf): Promise<Buffer> {
  const cost = { N: n, r, p, maxmem: MOST.memory + 1024 * 1024 };
  return derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), KEY_BYTES, cost);
}

/** The package: a manifest that everybody can read, and all else encrypted and bound to it. */
export async function sealPackage(
  { sections, secrets, pictures }: PackageContent,
  facts: PackageFacts,
  password: string,
): Promise<Uint8Array> {
  const kdf: Kdf = { name: "scrypt", ...COST, salt: randomBytes(16).toString("base64") };
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
    ...[...pictures].map(([name, bytes]) => ({ name: PICTURES + name, bytes })),
  ];
  refuseTooMuch(files);
  const content = await writeArchive(files);
  const cipher = createCipheriv("aes-256-gcm", await keyOf(password, kdf), nonce).setAAD(head);
  const payload = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  const whole = await writeArchive([
    { name: "manifest.json", bytes: head },
    { name: "payload.bin", bytes: payload },
  ]);
  if (whole.length > ARCHIVE_LIMITS.maxPackedBytes) throw tooMuch();
  return whole;
}

/** What could not come in again does not go out. */
function refuseTooMuch(files: readonly ArchiveFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const config = files[0]?.bytes.length ?? 0;
  if (config > LARGEST_CONFIG || bytes > ARCHIVE_LIMITS.maxBytes || files.length > ARCHIVE_LIMITS.maxEntries)
    throw tooMuch();
}

/** What is in a package. `bad_request` for whatever is none, or is not as it was made; `too_large` before much is asked of the machine. */
export async function openPackage(
  bytes: Uint8Array,
  password: string,
): Promise<PackageContent & { readonly facts: PackageFacts }> {
  if (!isArchive(bytes)) throw notOne();
  const entries = openArchive(bytes);
  const [head, payload] = [entryNamed(entries, "manifest.json"), entryNamed(entries, "payload.bin")];
  if (!head || !payload || entries.length !== 2) throw notOne();
  const headBytes = await read(head, LARGEST_MANIFEST);
  const facts = await readManifest(headBytes);
  const key = await keyOf(password, facts.kdf);
  const content = decrypted(await read(payload), headBytes, key, facts.nonce);
  return { ...(await readContent(content)), facts };
}

/** Whoever knows the password may have packed a bomb. */
async function readContent(bytes: Uint8Array): Promise<PackageContent> {
  try {
    const content = openArchive(bytes);
    const config = entryNamed(content, "config.json");
    if (!config) throw notOne();
    const found = await readJson(await config.bytes(LARGEST_CONFIG), LARGEST_CONFIG, { maxDepth: DEEPEST });
    const { value, error } = contentSchema.validate(found);
    if (error) throw notOne(error);
    const pictures = new Map<string, Uint8Array>();
    for (const entry of content) {
      if (entry.name.startsWith(PICTURES)) pictures.set(entry.name.slice(PICTURES.length), await entry.bytes());
    }
    return { ...value, pictures };
  } catch (cause) {
    if (!AppError.is(cause)) throw cause;
    throw cause.code === "too_large" ? explained("too_large", "package_too_large", {}, { cause }) : notOne(cause);
  }
}

function entryNamed(entries: readonly ArchiveEntry[], name: string): ArchiveEntry | undefined {
  return entries.find((entry) => entry.name === name);
}

// A bit that was turned is found by the archive's own sums first.
async function read(entry: ArchiveEntry, most?: number): Promise<Uint8Array> {
  try {
    return await entry.bytes(most);
  } catch (cause) {
    if (AppError.is(cause) && cause.code === "too_large")
      throw explained("too_large", "package_too_large", {}, { cause });
    throw altered(cause);
  }
}

async function readManifest(bytes: Uint8Array): Promise<Manifest> {
  const found = await readJson(bytes, LARGEST_MANIFEST).catch((cause: unknown) => {
    throw notOne(cause);
  });
  const { format, version } = found as { readonly format?: unknown; readonly version?: unknown };
  if (format !== FORMAT) throw notOne();
  if (typeof version === "number" && version > VERSION) throw explained("bad_request", "package_newer", { version });
  const { value, error } = manifestSchema.validate(found);
  if (error) throw operationsFailure("bad_request", "manifest", { reason: saidOf(schemaRefusal(error)) });
  const { n, r } = value.kdf;
  if (!Number.isInteger(Math.log2(n)) || 128 * n * r > MOST.memory) throw operationsFailure("bad_request", "kdf");
  return value;
}

function decrypted(payload: Uint8Array, head: Uint8Array, key: Buffer, nonce: string): Uint8Array {
  if (payload.length < TAG_BYTES) throw altered();
  const at = payload.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: TAG_BYTES })
    .setAAD(head)
    .setAuthTag(payload.subarray(at));
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, at)), decipher.final()]);
  } catch (cause) {
    throw altered(cause);
  }
}

function tooMuch(): AppError {
  return operationsFailure("too_large", "package_large");
}

function notOne(cause?: unknown): AppError {
  return explained("bad_request", "not_a_package", {}, { cause });
}

/** One text for a wrong password and an altered package: who tries passwords learns nothing from it. */
function altered(cause?: unknown): AppError {
  return explained("bad_request", "package_altered", {}, { cause });
}

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import Joi from "@hapi/joi";
import { type AppError, type ItemFailure, isNewerVersion } from "@parley/core";
import { isProcessAlive } from "../process/process-alive.ts";
import { createError, sentence } from "../sentences.ts";

const FORMAT = "parley-backup";
const VERSION = 1;
const MANIFEST = "manifest.json";
const BACKUP_NAME = /^backup-\d{8}T\d{9}Z$/;

/** One file of a backup; databases are marked because they are checked before a restore. */
export interface BackedUpFile {
  /** Path in the data folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly isDatabase: boolean;
}

/** Manifest of a backup. It is written last, so a folder without it is not a backup. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly created_at: string;
  readonly product_version: string;
  readonly files: readonly BackedUpFile[];
  /** Files next to the data folder, by path in the folder of config.ini. */
  readonly outside: readonly BackedUpFile[];
  /** Sentences about missing parts; older manifests have them in English only. */
  readonly missing: readonly ItemFailure[];
}

const files = Joi.array()
  .items(
    Joi.object({
      path: Joi.string()
        .pattern(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\\0]+$/, "a path inside the folder")
        .required(),
      size: Joi.number().integer().min(0).required(),
      sha256: Joi.string()
        .pattern(/^[0-9a-f]{64}$/)
        .required(),
      isDatabase: Joi.boolean().required(),
    }),
  )
  .unique("path");

const missingItem = Joi.alternatives(
  Joi.string().custom((error: string) => ({ error })),
  Joi.object({ error: Joi.string().required(), detail: Joi.object() }),
);

const schema = Joi.object<BackupManifest>({
  format: Joi.valid(FORMAT).required(),
  version: Joi.valid(VERSION).required(),
  created_at: Joi.string().isoDate().required(),
  product_version: Joi.string().max(40).required(),
  files: files.required(),
  outside: files.default([]),
  missing: Joi.array().items(missingItem).default([]),
});

export function createManifest(facts: Omit<BackupManifest, "format" | "version">): BackupManifest {
  return { format: FORMAT, version: VERSION, ...facts };
}

export function toManifestPath(folder: string): string {
  return join(folder, MANIFEST);
}

/** Returns the folder of a backup with the data folder's content. */
export function toContentFolder(folder: string): string {
  return join(folder, "data");
}

export function createBackupName(now: number): string {
  return `backup-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** Returns the folder of a backup with the files from next to the data folder. */
export function toOutsideFolder(folder: string): string {
  return join(folder, "outside");
}

/** Reads a manifest. Rejects with `bad_request` for an incomplete backup, or one newer than `ownVersion`. */
export async function readManifest(folder: string, ownVersion: string): Promise<BackupManifest> {
  const found = await readFile(toManifestPath(folder), "utf8")
    .then(JSON.parse)
    .catch((cause: unknown) => {
      throw createError("bad_request", sentence("backup_absent", { folder }), { cause });
    });
  const { format, version } = Object(found) as { readonly format?: unknown; readonly version?: unknown };
  if (format === FORMAT && typeof version === "number" && version > VERSION)
    throw createNewerError(folder, `form ${version}`);
  const { value, error } = schema.validate(found);
  if (error) {
    const params = { file: toManifestPath(folder), reason: error.message };
    throw createError("bad_request", sentence("backup_list", params));
  }
  if (isNewerVersion(value.product_version, ownVersion))
    throw createNewerError(folder, `Parley ${value.product_version}`);
  return value;
}

/** Returns the time a backup was made, from its name; undefined for other names. */
export function parseBackupTime(name: string): string | undefined {
  const made = name.replace(/^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, "$1-$2-$3T$4:$5:$6.$7Z");
  return BACKUP_NAME.test(name) && !Number.isNaN(Date.parse(made)) ? made : undefined;
}

/** Lists the complete backups in a folder, newest first. */
export async function listBackups(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)).toSorted();
  return names.toReversed().map((name) => join(folder, name));
}

/** Returns the name of a backup while it is being written or removed; only the process that does so may use it. */
export function createUnfinishedName(name: string): string {
  return `${basename(name)}.${process.pid}.unfinished`;
}

export function isAbandoned(name: string): boolean {
  const pid = /^backup-.*\.(\d+)\.unfinished$/.exec(name)?.[1];
  return pid !== undefined && Number(pid) !== process.pid && !isProcessAlive(Number(pid));
}

function createNewerError(folder: string, what: string): AppError {
  return createError("bad_request", sentence("backup_newer", { folder, what }));
}

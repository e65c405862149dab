import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import Joi from "@hapi/joi";
import { type AppError, type ItemFailure, isNewerVersion } from "@parley/core";
import { isProcessAlive } from "../process/process-alive.ts";
import { failureSaying, sentence } from "../sentences.ts";

const FORMAT = "parley-backup";
const VERSION = 1;
const MANIFEST = "manifest.json";
const BACKUP_NAME = /^backup-\d{8}T\d{9}Z$/;

/** One file of a backup; databases are told apart because they are looked into before they are put back. */
export interface BackedUpFile {
  /** In the data folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly isDatabase: boolean;
}

/** What a backup says of itself. It is written last: a folder without it is none. */
export interface BackupManifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly created_at: string;
  readonly product_version: string;
  readonly files: readonly BackedUpFile[];
  /** Beside the data folder, by their paths in the folder of config.ini. */
  readonly outside: readonly BackedUpFile[];
  /** What is not in it, in sentences; those of before have English alone. */
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

/** Where a backup keeps what was in the data folder. */
export function toContentFolder(folder: string): string {
  return join(folder, "data");
}

export function createBackupName(now: number): string {
  return `backup-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** Where it keeps what was beside the data folder. */
export function toOutsideFolder(folder: string): string {
  return join(folder, "outside");
}

/** `bad_request` for what is no whole backup, or one of a newer version than `own`. */
export async function readManifest(folder: string, ownVersion: string): Promise<BackupManifest> {
  const found = await readFile(toManifestPath(folder), "utf8")
    .then(JSON.parse)
    .catch((cause: unknown) => {
      throw failureSaying("bad_request", sentence("backup_absent", { folder }), { cause });
    });
  const { format, version } = Object(found) as { readonly format?: unknown; readonly version?: unknown };
  if (format === FORMAT && typeof version === "number" && version > VERSION)
    throw createNewerError(folder, `form ${version}`);
  const { value, error } = schema.validate(found);
  if (error) {
    const said = { file: toManifestPath(folder), reason: error.message };
    throw failureSaying("bad_request", sentence("backup_list", said));
  }
  if (isNewerVersion(value.product_version, ownVersion))
    throw createNewerError(folder, `Parley ${value.product_version}`);
  return value;
}

/** When a backup was made, by its name; undefined for what is not called like one. */
export function parseBackupTime(name: string): string | undefined {
  const made = name.replace(/^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, "$1-$2-$3T$4:$5:$6.$7Z");
  return BACKUP_NAME.test(name) && !Number.isNaN(Date.parse(made)) ? made : undefined;
}

/** The whole backups in a folder, the newest first. */
export async function listBackups(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)).toSorted();
  return names.toReversed().map((name) => join(folder, name));
}

/** What a backup was called before it was whole, or while it is being removed: only its process may still want it. */
export function createUnfinishedName(name: string): string {
  return `${basename(name)}.${process.pid}.unfinished`;
}

export function isAbandoned(name: string): boolean {
  const pid = /^backup-.*\.(\d+)\.unfinished$/.exec(name)?.[1];
  return pid !== undefined && Number(pid) !== process.pid && !isProcessAlive(Number(pid));
}

function createNewerError(folder: string, what: string): AppError {
  return failureSaying("bad_request", sentence("backup_newer", { folder, what }));
}

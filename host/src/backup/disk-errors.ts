import { AppError } from "@parley/core";
import { createError, sentence } from "../sentences.ts";

const DISK_FULL = "disk_full";
const DISK_RIGHTS = "disk_rights";
const NOT_A_FOLDER = "disk_no_folder";
const SENTENCE_BY_CODE = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: "disk_file_size",
  EROFS: "disk_read_only",
  EACCES: DISK_RIGHTS,
  EPERM: DISK_RIGHTS,
  // Node also reports this for a folder to be created on a read-only disk.
  ENOENT: "disk_absent",
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  EIO: "disk_fails",
} as const;

/** Converts a disk error to a localized `unavailable` error of the failed operation; returns any other error unchanged. */
export function toDiskError(what: "backup_disk" | "restore_disk", folder: string, error: unknown): unknown {
  const { code = "", path: place = folder, message = "" } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (!(code in SENTENCE_BY_CODE) || AppError.is(error)) return error;
  const reason = sentence(SENTENCE_BY_CODE[code as keyof typeof SENTENCE_BY_CODE], { place });
  return createError("unavailable", sentence(what, { said: reason, message }), { cause: error });
}

import { AppError } from "@parley/core";
import { failureSaying, sentence } from "../sentences.ts";

const NO_ROOM = "disk_full";
const NO_RIGHTS = "disk_rights";
const NO_FOLDER = "disk_no_folder";
const SENTENCES = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EFBIG: "disk_file_size",
  EROFS: "disk_read_only",
  EACCES: NO_RIGHTS,
  EPERM: NO_RIGHTS,
  // Also what Node says of a folder that is to be made on a disk that can only be read.
  ENOENT: "disk_absent",
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  EIO: "disk_fails",
} as const;

/** What a disk does not take, and what was not done because of it; any other failure is given back as it is. */
export function diskTrouble(what: "backup_disk" | "restore_disk", folder: string, error: unknown): unknown {
  const { code = "", path: place = folder, message = "" } = Object(error) as Partial<NodeJS.ErrnoException>;
  if (!(code in SENTENCES) || AppError.is(error)) return error;
  const said = sentence(SENTENCES[code as keyof typeof SENTENCES], { place });
  return failureSaying("unavailable", sentence(what, { said, message }), { cause: error });
}

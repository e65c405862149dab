// ZIP archives, with the limits that hostile ones need.
export {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  findPrefix,
  isArchive,
  openArchive,
} from "./open-archive.ts";
export { type ArchiveFile, writeArchive } from "./write-archive.ts";

import type { BlobRows, NamedBlob } from "@parley/core";

const PAGE_SIZE = 500;
const READ_NEXT = `select safe_name as name, size, sha256 from files where safe_name > ? order by safe_name limit ${PAGE_SIZE}`;

/** The files that have a row, as backups read them. */
export const FILE_ROWS: BlobRows = {
  folder: "files",
  tables: ["files"],
  next: (read, after) => read<NamedBlob>(READ_NEXT, after),
};

import type { BlobRows, NamedBlob } from "@parley/core";

const PAGE = 500;
const NEXT = `select safe_name as name, size, sha256 from files where safe_name > ? order by safe_name limit ${PAGE}`;

/** The files that have a row, for backups. */
export const FILE_ROWS: BlobRows = {
  folder: "files",
  tables: ["files"],
  next: (read, after) => read<NamedBlob>(NEXT, after),
};

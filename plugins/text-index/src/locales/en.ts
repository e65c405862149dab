/** English texts of plugin text-index. */
export const en = {
  closed: "the text index is closed",
  failed: "the text index failed",
  not_installed: "pgvector is not installed on the server",
  old: "pgvector {version} is installed, {least} is required: {command}",
  out_of_reach: "pgvector is in a schema outside the search path",
  waits: "pgvector must be enabled by a database administrator: {command}",
} as const;

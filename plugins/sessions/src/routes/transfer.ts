import { type RouteTable, route } from "@parley/core";
import { exportedJson, exportedOne, importedData } from "../answers.ts";
import type { Export } from "../export.ts";
import type { Import } from "../import.ts";
import { exportAllQuery, exportQuery, importBody } from "../schemas/transfer.ts";
import { base, one } from "./paths.ts";

const IMPORT_BYTES = 50 * 1024 * 1024;
const IMPORT_MS = 300_000;

export function transferRoutes(exported: Export, imported: Import): RouteTable {
  return [
    route({
      method: "GET",
      path: `${one}/export`,
      summary: "a session as a file",
      data: exportedOne,
      reply: "raw",
      query: exportQuery,
      run: ({ params, query }) => exported.one(params.session_id, query),
    }),
    route({
      method: "GET",
      path: `${base}/export`,
      summary: "sessions as a file",
      data: exportedJson,
      reply: "raw",
      query: exportAllQuery,
      run: ({ query }) => exported.all(query),
    }),
    route({
      method: "POST",
      path: `${base}/import`,
      summary: "take in exported sessions",
      data: importedData,
      payload: "json-or-file",
      maxBytes: IMPORT_BYTES,
      timeoutMs: IMPORT_MS,
      body: importBody,
      run: ({ body }) => imported.take(body),
    }),
  ];
}

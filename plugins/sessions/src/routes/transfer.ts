import { type RouteTable, route } from "@parley/core";
import { exportData, exportJsonData, importData } from "../schemas/responses.ts";
import { exportAllQuery, exportQuery, importBody } from "../schemas/transfer.ts";
import type { SessionExporter } from "../transfer/export.ts";
import type { SessionImporter } from "../transfer/import.ts";
import { sessionPath, sessionsPath } from "./paths.ts";

const MAX_IMPORT_BYTES = 50 * 1024 * 1024;
const IMPORT_TIMEOUT_MS = 300_000;

export function createTransferRoutes(exporter: SessionExporter, importer: SessionImporter): RouteTable {
  return [
    route({
      method: "GET",
      path: `${sessionPath}/export`,
      summary: "export a session",
      data: exportData,
      reply: "raw",
      query: exportQuery,
      run: ({ params, query }) => exporter.exportOne(params.session_id, query),
    }),
    route({
      method: "GET",
      path: `${sessionsPath}/export`,
      summary: "export several sessions",
      data: exportJsonData,
      reply: "raw",
      query: exportAllQuery,
      run: ({ query }) => exporter.exportMany(query),
    }),
    route({
      method: "POST",
      path: `${sessionsPath}/import`,
      summary: "import sessions",
      data: importData,
      payload: "json-or-file",
      maxBytes: MAX_IMPORT_BYTES,
      timeoutMs: IMPORT_TIMEOUT_MS,
      body: importBody,
      run: ({ body }) => importer.importSessions(body),
    }),
  ];
}

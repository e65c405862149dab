import { type Caller, type RouteTable, route } from "@parley/core";
import { answerFields, bytes, envelopeOf, shape } from "@parley/core/http";
import { MULTIPART_OVERHEAD_BYTES } from "../pictures/routes.ts";
import type { PresetRecords } from "../presets/preset-records.ts";
import type { CardExport } from "./card-export.ts";
import type { CardGenerator } from "./card-generator.ts";
import type { CardImport } from "./card-import.ts";
import {
  exportAllQuery,
  exportBody,
  fileForm,
  generateBody,
  generateData,
  generatedPortraitData,
  greetingBody,
  greetingData,
  importAllData,
  importData,
  importForm,
  importQuery,
  portraitBody,
  stateForBody,
  stateForData,
} from "./schema.ts";

const base = "/api/personality";
const MAX_IMPORT_BYTES = 50 * 1024 * 1024;

/** All cards in one file, each in the format of its own program. */
const bundleData = shape(
  {
    version: answerFields.count,
    type: answerFields.word("role_card_bundle"),
    exported_at: answerFields.time,
    total: answerFields.count,
    cards: answerFields.listOf(answerFields.record),
  },
  "RoleCardBundle",
);

export interface CardRoutesDeps {
  readonly presets: PresetRecords;
  readonly cards: CardImport & CardExport;
  readonly generated: CardGenerator;
}

/** Creates the routes that import, export and generate character cards. */
export function createCardRoutes(deps: CardRoutesDeps): RouteTable {
  return [...createTransferRoutes(deps), ...createGeneratorRoutes(deps)];
}

function createTransferRoutes({ cards }: CardRoutesDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/import`,
      scope: "write",
      summary: "import a character card",
      payload: "document",
      maxBytes: MAX_IMPORT_BYTES + MULTIPART_OVERHEAD_BYTES,
      body: importForm,
      query: importQuery,
      data: importData,
      run: ({ parts, query }) => cards.importOne(parts, query),
    }),
    route({
      method: "POST",
      path: `${base}/import-all`,
      scope: "write",
      summary: "import several character cards",
      payload: "document",
      maxBytes: MAX_IMPORT_BYTES + MULTIPART_OVERHEAD_BYTES,
      timeoutMs: false,
      body: fileForm,
      data: importAllData,
      run: ({ parts }) => cards.importAll(parts),
    }),
    route({
      method: "POST",
      path: `${base}/export`,
      scope: "write",
      summary: "a character card as a file",
      reply: "raw",
      body: exportBody,
      data: { "application/zip": bytes, "application/json": bytes, "image/png": bytes },
      run: ({ body }) => cards.exportOne(body),
    }),
    route({
      method: "GET",
      path: `${base}/export-all`,
      scope: "read",
      summary: "all presets as one file",
      reply: "raw",
      query: exportAllQuery,
      data: { "application/zip": bytes, "application/json": answerFields.either(envelopeOf(bundleData), bundleData) },
      timeoutMs: false,
      run: ({ query }) => cards.exportAll(query),
    }),
  ];
}

function createGeneratorRoutes({ generated, presets }: CardRoutesDeps): RouteTable {
  const by = ({ caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal }) => ({
    signal,
    user: caller.username,
  });
  return [
    route({
      method: "POST",
      path: `${base}/ai-generate`,
      scope: "write",
      summary: "generate a character card",
      body: generateBody,
      data: generateData,
      timeoutMs: false,
      async run({ body, ...request }) {
        const made = await generated.card(body, by(request));
        if (!body.save) return { ...made, saved: null };
        const { id } = (await presets.rows.create(made.card, request)) as { readonly id: string };
        return { ...made, saved: { kind: "preset", id } };
      },
    }),
    route({
      method: "POST",
      path: `${base}/ai-generate-state`,
      scope: "write",
      summary: "generate the initial state of a character",
      body: stateForBody,
      data: stateForData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.state(body, by(request)),
    }),
    route({
      method: "POST",
      path: `${base}/ai-generate-first-message`,
      scope: "write",
      summary: "generate a greeting",
      body: greetingBody,
      data: greetingData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.greetings(body, by(request)),
    }),
    route({
      method: "POST",
      path: `${base}/generate-portrait`,
      scope: "write",
      summary: "generate a portrait",
      body: portraitBody,
      data: generatedPortraitData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.portrait(body, by(request)),
    }),
  ];
}

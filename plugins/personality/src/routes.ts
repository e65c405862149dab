import { type Caller, explained, type RouteTable, route } from "@parley/core";
import type { MacroValues } from "@parley/core/characters";
import { answerFields, bytes, envelopeOf, listQuery, shape } from "@parley/core/http";
import type { CardExport } from "./cards/card-export.ts";
import type { CardGenerator } from "./cards/card-generator.ts";
import type { CardImport } from "./cards/card-import.ts";
import type { Platforms } from "./cards/card-platforms.ts";
import { createPreview } from "./cards/card-preview.ts";
import type { CurrentRecord } from "./current-personality.ts";
import { MAX_PICTURE_BYTES } from "./pictures/picture.ts";
import type { Portraits } from "./pictures/portraits.ts";
import type { PresetRecords } from "./presets/preset-records.ts";
import {
  builtInData,
  cleanBody,
  cleanData,
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
  personalityBody,
  personalityData,
  pictureUrl,
  portraitBody,
  portraitData,
  portraitRemovedData,
  previewData,
  stateForBody,
  stateForData,
  uploadBody,
  uploadData,
} from "./schema.ts";
import { personalityTexts } from "./texts.ts";

const base = "/api/personality";
const MAX_IMPORT_BYTES = 50 * 1024 * 1024;
const MULTIPART_OVERHEAD_BYTES = 65_536;

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

export interface PersonalityRoutesDeps {
  readonly current: CurrentRecord;
  readonly presets: PresetRecords;
  readonly cards: CardImport & CardExport;
  readonly generated: CardGenerator;
  readonly portraits: Portraits;
  readonly platforms: Platforms;
  /** Values of placeholders for a conversation that starts now. */
  readonly macroValues: () => Omit<MacroValues, "char" | "user">;
}

/** Creates the routes besides CRUD of presets. */
export function createPersonalityRoutes(deps: PersonalityRoutesDeps): RouteTable {
  return [...currentRoutes(deps), ...cardRoutes(deps), ...generatorRoutes(deps), ...portraitRoutes(deps)];
}

function currentRoutes({ current, presets, platforms, macroValues }: PersonalityRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      scope: "read",
      summary: "the personality in force",
      data: personalityData,
      run: () => current.current(),
    }),
    route({
      method: "PUT",
      path: base,
      scope: "write",
      summary: "change the personality in force",
      body: personalityBody,
      data: personalityData,
      run({ body, ifMatch }) {
        if (Object.keys(body).length === 0) throw explained("bad_request", "nothing_to_update", {});
        return current.change(body, ifMatch);
      },
    }),
    route({
      method: "POST",
      path: `${base}/preview`,
      scope: "read",
      summary: "preview the prompt of a card",
      body: personalityBody,
      data: previewData,
      run: ({ body: { preset_id: _preset, ...fields }, caller }) =>
        createPreview(fields, { ...macroValues(), user: caller.username || "the user" }),
    }),
    route({
      method: "GET",
      path: `${base}/presets`,
      scope: "read",
      summary: "list the built-in presets",
      query: listQuery(),
      data: builtInData,
      run: ({ query }) => presets.builtIn(query),
    }),
    route({
      method: "POST",
      path: `${base}/custom-presets/{preset_id}/upload-to-platform`,
      scope: "admin",
      summary: "send a preset to a platform",
      body: uploadBody,
      data: uploadData,
      timeoutMs: false,
      run: ({ params, body, signal }) => platforms.upload(params.preset_id, body, signal),
    }),
  ];
}

function cardRoutes({ cards }: PersonalityRoutesDeps): RouteTable {
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

function generatorRoutes({ generated, presets }: PersonalityRoutesDeps): RouteTable {
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

function portraitRoutes({ portraits }: PersonalityRoutesDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/portrait`,
      scope: "write",
      summary: "store a portrait",
      payload: "multipart",
      maxBytes: MAX_PICTURE_BYTES + MULTIPART_OVERHEAD_BYTES,
      data: portraitData,
      run({ parts }) {
        const file = parts.find(({ name }) => name === "file");
        if (!file || parts.length > 1)
          throw personalityTexts.error("bad_request", "one_picture", {}, { field: "file" });
        return portraits.store(file.bytes);
      },
    }),
    route({
      method: "DELETE",
      path: `${base}/portrait`,
      scope: "write",
      summary: "delete a portrait",
      body: pictureUrl,
      query: pictureUrl,
      data: portraitRemovedData,
      async run({ body, query }) {
        const url = body.url ?? query.url ?? "";
        return { deleted: true, url, references_cleared: await portraits.remove(url) };
      },
    }),
    route({
      method: "POST",
      path: `${base}/clean-unused-portraits`,
      scope: "write",
      summary: "delete portraits that nothing has",
      body: cleanBody,
      data: cleanData,
      timeoutMs: false,
      run: ({ body }) => portraits.clean(body.dry_run),
    }),
  ];
}

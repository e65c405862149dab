import {
  answered,
  bytes,
  type Caller,
  envelopeOf,
  explained,
  listQuery,
  type MacroValues,
  type RouteTable,
  route,
  shape,
} from "@parley/core";
import type { CardExport } from "./card-export.ts";
import type { CardImport } from "./card-import.ts";
import type { CurrentRecord } from "./current-personality.ts";
import type { Generated } from "./generated.ts";
import { MAX_PICTURE_BYTES } from "./pictures/picture.ts";
import type { Platforms } from "./platforms.ts";
import type { Portraits } from "./portraits.ts";
import type { PresetRecords } from "./preset-records.ts";
import { previewOf } from "./preview.ts";
import { personalityFailure } from "./said-failures.ts";
import {
  builtInData,
  cleanBody,
  cleanData,
  exportAllQuery,
  exportBody,
  fileForm,
  generateBody,
  generateData,
  greetingBody,
  greetingData,
  importAllData,
  importData,
  importForm,
  importQuery,
  madePortraitData,
  personalityBody,
  personalityData,
  pictureUrl,
  portraitBody,
  portraitData,
  previewData,
  removedPortraitData,
  stateForBody,
  stateForData,
  uploadBody,
  uploadData,
} from "./schema.ts";

const base = "/api/personality";
const IMPORT_BYTES = 50 * 1024 * 1024;
const MULTIPART_BYTES = 65_536;

/** All cards in one file, each as its own program would read it. */
const bundleData = shape(
  {
    version: answered.count,
    type: answered.word("role_card_bundle"),
    exported_at: answered.time,
    total: answered.count,
    cards: answered.listOf(answered.record),
  },
  "RoleCardBundle",
);

export interface RouteParts {
  readonly current: CurrentRecord;
  readonly presets: PresetRecords;
  readonly cards: CardImport & CardExport;
  readonly generated: Generated;
  readonly portraits: Portraits;
  readonly platforms: Platforms;
  /** What placeholders stand for in a conversation that would begin now. */
  readonly said: () => Omit<MacroValues, "char" | "user">;
}

/** The rows besides those of the presets' records. */
export function personalityRoutes(parts: RouteParts): RouteTable {
  return [...currentRows(parts), ...cardRows(parts), ...modelRows(parts), ...portraitRows(parts)];
}

function currentRows({ current, presets, platforms, said }: RouteParts): RouteTable {
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
      summary: "what a model would be told of a card",
      body: personalityBody,
      data: previewData,
      run: ({ body: { preset_id: _preset, ...fields }, caller }) =>
        previewOf(fields, { ...said(), user: caller.username || "the user" }),
    }),
    route({
      method: "GET",
      path: `${base}/presets`,
      scope: "read",
      summary: "presets that come with the service",
      query: listQuery(),
      data: builtInData,
      run: ({ query }) => presets.builtIn(query),
    }),
    route({
      method: "POST",
      path: `${base}/custom-presets/{preset_id}/upload-to-platform`,
      scope: "admin",
      summary: "give a preset to a platform",
      body: uploadBody,
      data: uploadData,
      timeoutMs: false,
      run: ({ params, body, signal }) => platforms.upload(params.preset_id, body, signal),
    }),
  ];
}

function cardRows({ cards }: RouteParts): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/import`,
      scope: "write",
      summary: "import a character card",
      payload: "document",
      maxBytes: IMPORT_BYTES + MULTIPART_BYTES,
      body: importForm,
      query: importQuery,
      data: importData,
      run: ({ parts, query }) => cards.take(parts, query),
    }),
    route({
      method: "POST",
      path: `${base}/import-all`,
      scope: "write",
      summary: "import several character cards",
      payload: "document",
      maxBytes: IMPORT_BYTES + MULTIPART_BYTES,
      timeoutMs: false,
      body: fileForm,
      data: importAllData,
      run: ({ parts }) => cards.takeAll(parts),
    }),
    route({
      method: "POST",
      path: `${base}/export`,
      scope: "write",
      summary: "a character card as a file",
      reply: "raw",
      body: exportBody,
      data: { "application/zip": bytes, "application/json": bytes, "image/png": bytes },
      run: ({ body }) => cards.one(body),
    }),
    route({
      method: "GET",
      path: `${base}/export-all`,
      scope: "read",
      summary: "all presets as one file",
      reply: "raw",
      query: exportAllQuery,
      data: { "application/zip": bytes, "application/json": answered.either(envelopeOf(bundleData), bundleData) },
      timeoutMs: false,
      run: ({ query }) => cards.all(query),
    }),
  ];
}

function modelRows({ generated, presets }: RouteParts): RouteTable {
  const by = ({ caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal }) => ({
    signal,
    user: caller.username,
  });
  return [
    route({
      method: "POST",
      path: `${base}/ai-generate`,
      scope: "write",
      summary: "let a model write a character card",
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
      summary: "let a model say how a character begins",
      body: stateForBody,
      data: stateForData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.state(body, by(request)),
    }),
    route({
      method: "POST",
      path: `${base}/ai-generate-first-message`,
      scope: "write",
      summary: "let a model write opening words",
      body: greetingBody,
      data: greetingData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.greetings(body, by(request)),
    }),
    route({
      method: "POST",
      path: `${base}/generate-portrait`,
      scope: "write",
      summary: "let a model draw a portrait",
      body: portraitBody,
      data: madePortraitData,
      timeoutMs: false,
      run: ({ body, ...request }) => generated.portrait(body, by(request)),
    }),
  ];
}

function portraitRows({ portraits }: RouteParts): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/portrait`,
      scope: "write",
      summary: "store a portrait",
      payload: "multipart",
      maxBytes: MAX_PICTURE_BYTES + MULTIPART_BYTES,
      data: portraitData,
      run({ parts }) {
        const file = parts.find(({ name }) => name === "file");
        if (!file || parts.length > 1) throw personalityFailure("bad_request", "one_picture", {}, { field: "file" });
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
      data: removedPortraitData,
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

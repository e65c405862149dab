import { attachmentNamed, type CharacterFields, type Clock, type RawReply, rawReply } from "@parley/core";
import { BUNDLE_HEAD, bundleZip, type CardToWrite, cardJson, cardPng, cardZip } from "./cards/write-card.ts";
import type { Portraits } from "./portraits.ts";
import type { PresetRecords } from "./preset-records.ts";
import { personalityFailure } from "./said-failures.ts";
import type { ExportAllQuery, ExportBody, Subject } from "./schema.ts";
import { type Subjects, withoutBook } from "./subjects.ts";

/** Character cards out of the service. */
export interface CardExport {
  one(asked: ExportBody): Promise<RawReply>;
  /** The archive of one, for other services. */
  zip(asked: Subject): Promise<Uint8Array>;
  all(asked: ExportAllQuery): Promise<RawReply>;
}

export interface CardExportParts {
  readonly presets: PresetRecords;
  readonly subjects: Subjects;
  readonly portraits: Portraits;
  readonly clock: Clock;
}

export function createCardExport({ presets, subjects, portraits, clock }: CardExportParts): CardExport {
  const pictureOf = async ({ portrait, avatar }: CharacterFields) => {
    for (const url of [portrait, avatar]) {
      const file = await portraits.open(url);
      const extension = file && EXTENSIONS[file.mimeType];
      if (file && extension !== undefined) return { bytes: await file.bytes(), extension };
    }
    return undefined;
  };
  const cardOf = async (asked: Subject, spec: "v2" | "v3", hasBook = true): Promise<CardToWrite> => {
    const fields = await subjects.fields(asked);
    if (!hasBook) return { fields: withoutBook(fields), picture: await pictureOf(fields) };
    const lorebook = await subjects.lorebook(asked, fields, spec);
    return { fields, lorebook, picture: await pictureOf(fields) };
  };
  const zip = async (asked: Subject, hasBook = true) => cardZip(await cardOf(asked, "v3", hasBook));

  return {
    zip,
    async one({ format, include_world_book, ...asked }) {
      const spec = format === "json_v2" ? "v2" : "v3";
      const card = await cardOf(asked, spec, include_world_book);
      const { name } = card.fields;
      if (format === "zip") return file(await cardZip(card), "application/zip", `${name}.zip`);
      if (format === "png") return file(pngOf(card), "image/png", `${name}.png`);
      return file(JSON.stringify(cardJson(card, spec), null, 2), "application/json", `${name}.json`);
    },
    async all({ format, download }) {
      const cards: CardToWrite[] = [];
      for await (const { id, ...fields } of presets.all()) {
        const lorebook = await subjects.lorebook({ preset_id: id }, fields, "v3");
        cards.push({ fields, lorebook, picture: format === "zip" ? await pictureOf(fields) : undefined });
      }
      if (format === "zip") return file(await bundleZip(cards), "application/zip", "role-cards.zip");
      const exported_at = new Date(clock.now()).toISOString();
      const bundle = {
        ...BUNDLE_HEAD,
        exported_at,
        total: cards.length,
        cards: cards.map((card) => cardJson(card, "v3")),
      };
      if (download) return file(JSON.stringify(bundle, null, 2), "application/json", "role-cards.json");
      return rawReply({
        body: JSON.stringify({ success: true, data: bundle, message: "" }),
        type: "application/json",
        headers: NOT_KEPT,
      });
    },
  };
}

const NOT_KEPT = { "cache-control": "no-store" };
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

function pngOf(card: CardToWrite): Uint8Array {
  if (card.picture?.extension !== "png") {
    throw personalityFailure("bad_request", "no_png", {}, { field: "format" });
  }
  return cardPng(card, card.picture.bytes);
}

function file(body: string | Uint8Array, type: string, name: string): RawReply {
  return rawReply({ body, type, headers: { ...NOT_KEPT, "content-disposition": attachmentNamed(name) } });
}

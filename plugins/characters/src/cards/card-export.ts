import { type Clock, type RawReply, rawReply } from "@parley/core";
import type { CharacterFields } from "@parley/core/characters";
import { attachmentNamed } from "@parley/core/http";
import type { Portraits } from "../pictures/portraits.ts";
import type { PresetRecords } from "../presets/preset-records.ts";
import { cardTexts } from "../texts.ts";
import { removeLorebook, type Subjects } from "./card-subjects.ts";
import {
  BUNDLE_HEADER,
  type OutgoingCard,
  toBundleZip,
  toCardJson,
  toCardPng,
  toCardZip,
} from "./format/write-card.ts";
import type { ExportAllQuery, ExportBody, Subject } from "./schema.ts";

/** Exports character cards. */
export interface CardExport {
  exportOne(asked: ExportBody): Promise<RawReply>;
  /** Returns the archive of one card, for other programs. */
  exportZip(asked: Subject): Promise<Uint8Array>;
  exportAll(asked: ExportAllQuery): Promise<RawReply>;
}

export interface CardExportDeps {
  readonly presets: PresetRecords;
  readonly subjects: Subjects;
  readonly portraits: Portraits;
  readonly clock: Clock;
}

export function createCardExport({ presets, subjects, portraits, clock }: CardExportDeps): CardExport {
  const loadPicture = async ({ portrait, avatar }: CharacterFields) => {
    for (const url of [portrait, avatar]) {
      const file = await portraits.open(url);
      const extension = file && EXTENSIONS[file.mimeType];
      if (file && extension !== undefined) return { bytes: await file.bytes(), extension };
    }
    return undefined;
  };
  const loadCard = async (asked: Subject, spec: "v2" | "v3", hasBook = true): Promise<OutgoingCard> => {
    const fields = await subjects.fields(asked);
    if (!hasBook) return { fields: removeLorebook(fields), picture: await loadPicture(fields) };
    const lorebook = await subjects.lorebook(asked, fields, spec);
    return { fields, lorebook, picture: await loadPicture(fields) };
  };
  const exportZip = async (asked: Subject, hasBook = true) => toCardZip(await loadCard(asked, "v3", hasBook));

  return {
    exportZip,
    async exportOne({ format, include_world_book, ...asked }) {
      const spec = format === "json_v2" ? "v2" : "v3";
      const card = await loadCard(asked, spec, include_world_book);
      const { name } = card.fields;
      if (format === "zip") return toFileReply(await toCardZip(card), "application/zip", `${name}.zip`);
      if (format === "png") return toFileReply(toPng(card), "image/png", `${name}.png`);
      return toFileReply(JSON.stringify(toCardJson(card, spec), null, 2), "application/json", `${name}.json`);
    },
    async exportAll({ format, download }) {
      const cards: OutgoingCard[] = [];
      for await (const { id, ...fields } of presets.all()) {
        const lorebook = await subjects.lorebook({ preset_id: id }, fields, "v3");
        cards.push({ fields, lorebook, picture: format === "zip" ? await loadPicture(fields) : undefined });
      }
      if (format === "zip") return toFileReply(await toBundleZip(cards), "application/zip", "role-cards.zip");
      const exported_at = new Date(clock.now()).toISOString();
      const bundle = {
        ...BUNDLE_HEADER,
        exported_at,
        total: cards.length,
        cards: cards.map((card) => toCardJson(card, "v3")),
      };
      if (download) return toFileReply(JSON.stringify(bundle, null, 2), "application/json", "role-cards.json");
      return rawReply({
        body: JSON.stringify({ success: true, data: bundle, message: "" }),
        type: "application/json",
        headers: NO_STORE,
      });
    },
  };
}

const NO_STORE = { "cache-control": "no-store" };
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

function toPng(card: OutgoingCard): Uint8Array {
  if (card.picture?.extension !== "png") {
    throw cardTexts.error("bad_request", "no_png", {}, { field: "format" });
  }
  return toCardPng(card, card.picture.bytes);
}

function toFileReply(body: string | Uint8Array, type: string, name: string): RawReply {
  return rawReply({ body, type, headers: { ...NO_STORE, "content-disposition": attachmentNamed(name) } });
}

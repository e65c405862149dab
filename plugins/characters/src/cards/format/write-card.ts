import type { CardLorebook } from "@parley/core";
import { type ArchiveFile, writeArchive } from "@parley/core/archive";
import type { CharacterFields } from "@parley/core/characters";
import { writeData } from "./card-data.ts";
import type { Json } from "./card-json.ts";
import { readPngChunks, writePngCards } from "./png-card.ts";

/** A card to export. */
export interface OutgoingCard {
  readonly fields: CharacterFields;
  readonly lorebook?: CardLorebook | undefined;
  readonly picture?: { readonly bytes: Uint8Array; readonly extension: string } | undefined;
}

/** Builds the card as JSON of V2 or V3; imported content is unchanged unless it was edited. */
export function toCardJson({ fields, lorebook }: OutgoingCard, spec: "v2" | "v3"): Json {
  const { data, top } = writeData(fields, lorebook);
  const { spec_version, ...topFields } = top;
  const isSameSpec = fields.card_spec === spec;
  const defaultVersion = spec === "v3" ? "3.0" : "2.0";
  return {
    spec: `chara_card_${spec}`,
    spec_version: isSameSpec && typeof spec_version === "string" ? spec_version : defaultVersion,
    data: spec === "v3" && !("group_only_greetings" in data) ? { ...data, group_only_greetings: [] } : data,
    ...topFields,
  };
}

/** Returns the files of a card in an archive. */
function toFiles(card: OutgoingCard, folder = ""): readonly ArchiveFile[] {
  const json = Buffer.from(JSON.stringify(toCardJson(card, "v3"), null, 2));
  const { picture } = card;
  return [
    { name: `${folder}character.json`, bytes: json },
    ...(picture ? [{ name: `${folder}portrait.${picture.extension}`, bytes: picture.bytes }] : []),
  ];
}

export function toCardZip(card: OutgoingCard): Promise<Uint8Array> {
  return writeArchive(toFiles(card));
}

/** Returns the picture with the card in it; throws `bad_request` when the picture is not a PNG. */
export function toCardPng(card: OutgoingCard, png: Uint8Array): Uint8Array {
  const toJson = (spec: "v2" | "v3") => JSON.stringify(toCardJson(card, spec));
  return writePngCards(
    readPngChunks(png),
    new Map([
      ["chara", toJson("v2")],
      ["ccv3", toJson("v3")],
    ]),
  );
}

export const BUNDLE_HEADER = { version: 1, type: "role_card_bundle" } as const;

export function toBundleZip(cards: readonly OutgoingCard[]): Promise<Uint8Array> {
  const folders = cards.map((card, index) => ({ card, folder: `cards/${index + 1}/` }));
  const manifestCards = folders.map(({ card, folder }) => ({
    path: `${folder}character.json`,
    name: card.fields.name,
  }));
  const manifest = { ...BUNDLE_HEADER, cards: manifestCards };
  return writeArchive([
    { name: "manifest.json", bytes: Buffer.from(JSON.stringify(manifest, null, 2)) },
    ...folders.flatMap(({ card, folder }) => toFiles(card, folder)),
  ]);
}

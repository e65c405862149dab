import { isDeepStrictEqual } from "node:util";
import { AppError, type ItemFailure } from "@parley/core";
import { type ArchiveEntry, findPrefix, isArchive, openArchive } from "@parley/core/archive";
import { isPicture } from "../../pictures/picture.ts";
import { cardTexts } from "../../texts.ts";
import { isObject, type Json, MAX_CARD_BYTES, readCardJson } from "./card-json.ts";
import { isPng, type PngCards, readPngCards, readPngChunks } from "./png-card.ts";
import { type ReadCard, readCard } from "./read-card.ts";

export type Container = "json" | "zip" | "png" | "charx" | "bundle";

/** A card that was found in a file, and the picture of the file, which is not validated yet. */
export interface FoundCard extends ReadCard {
  readonly picture?: Uint8Array;
}

export interface FoundCards {
  readonly container: Container;
  /** Read lazily, so that an unreadable card does not affect the others. */
  readonly cards: readonly (() => Promise<FoundCard>)[];
}

const MAX_CARDS = 500;
/** Pictures and JSON that are larger are of no use. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
const BUNDLE_TYPE = "role_card_bundle";
const PICTURE_EXTENSIONS = ["png", "jpg", "jpeg", "gif", "webp"];

/** Finds the cards in a file by its content; rejects with `bad_request` when there are none. */
export async function findCards(bytes: Uint8Array): Promise<FoundCards> {
  if (isArchive(bytes)) return findInArchive(openArchive(bytes));
  const inPicture = isPng(bytes) ? readPngCards(readPngChunks(bytes)) : NO_CARDS;
  if (inPicture.size > 0) return { container: "png", cards: [async () => findInPng(bytes, inPicture)] };
  const cover = findPrefix(bytes);
  if (cover) return findInArchive(openArchive(bytes), cover);
  if (isPicture(bytes)) throw cardTexts.error("bad_request", "no_card_in_picture");
  return findInJson(bytes);
}

const NO_CARDS: PngCards = new Map();

function findInPng(bytes: Uint8Array, found: PngCards): FoundCard {
  const [v3, v2] = [found.get("ccv3"), found.get("chara")];
  const chosen = v3 ?? v2;
  if (!chosen) throw cardTexts.error("bad_request", "no_card_in_picture");
  const { json, warnings } = readCardJson(chosen);
  const card = readCard(json);
  const more = v3 && v2 && !isSameCard(json, v2) ? [cardTexts.message("two_cards")] : [];
  return { ...card, picture: bytes, warnings: [...warnings, ...more, ...card.warnings] };
}

/** True when the V2 card has the same values in all shared fields. */
function isSameCard(v3: unknown, v2: Uint8Array): boolean {
  const dataOf = (json: unknown): Json => (isObject(json) && isObject(json.data) ? json.data : Object(json));
  try {
    const newer = dataOf(v3);
    return Object.entries(dataOf(readCardJson(v2).json)).every(
      ([name, value]) => name === "extensions" || !(name in newer) || isDeepStrictEqual(newer[name], value),
    );
  } catch (error) {
    if (AppError.is(error)) return false;
    throw error;
  }
}

/** The files of an archive by name, regardless of case. */
type Files = ReadonlyMap<string, ArchiveEntry>;

/** Finds cards at the top of the archive or in a folder of it; `cover` is the picture that the archive is appended to. */
async function findInArchive(entries: readonly ArchiveEntry[], cover?: Uint8Array): Promise<FoundCards> {
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const manifest = byName.get("manifest.json");
  const listing = manifest && (await readEntryJson(manifest));
  if (isObject(listing?.json) && listing.json.type === BUNDLE_TYPE) return findInBundle(listing, byName);
  const charx = findShallowest(byName, "card.json");
  if (charx) return { container: "charx", cards: [() => readCharx(charx, byName, cover)] };
  const card = findShallowest(byName, "character.json");
  if (card) return { container: "zip", cards: [() => readFolderCard(card, byName)] };
  if (listing) return findInBundle(listing, byName);
  throw cardTexts.error("bad_request", "no_card_in_archive");
}

/** Resource forks of macOS repeat the names of the files they belong to. */
const RESOURCE_FORK = "__macosx/";

function findShallowest(byName: Files, file: string): ArchiveEntry | undefined {
  const found = [...byName].filter(
    ([name]) => (name === file || name.endsWith(`/${file}`)) && !name.startsWith(RESOURCE_FORK),
  );
  const depthOf = ([name]: readonly [string, ArchiveEntry]) => name.split("/").length;
  const [first, second] = found.toSorted((one, other) => depthOf(one) - depthOf(other));
  if (first && second && depthOf(first) === depthOf(second) && depthOf(first) > 1)
    throw cardTexts.error("bad_request", "many_in_archive", { file });
  return first?.[1];
}

function folderOf({ name }: ArchiveEntry): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

async function readFolderCard(entry: ArchiveEntry, byName: Files): Promise<FoundCard> {
  const { json, warnings } = await readEntryJson(entry);
  const card = readCard(json);
  const folder = folderOf(entry).toLowerCase();
  const picture = PICTURE_EXTENSIONS.map((end) => byName.get(`${folder}portrait.${end}`)).find(Boolean);
  return attachPicture(card, warnings, picture);
}

async function readCharx(entry: ArchiveEntry, byName: Files, cover?: Uint8Array): Promise<FoundCard> {
  const { json, warnings } = await readEntryJson(entry);
  const card = readCard(json);
  const data = isObject(json) && isObject(json.data) ? json.data : {};
  const icon = byName.get(`${folderOf(entry)}${findIconName(data.assets) ?? ""}`.toLowerCase());
  const others = [...byName.values()].filter((one) => one !== entry && one !== icon);
  const dropped = others.length > 0 ? [cardTexts.message("files_left_out", { count: others.length })] : [];
  const found = await attachPicture(card, [...warnings, ...dropped], icon);
  return !icon && cover && cover.length <= MAX_PICTURE_BYTES ? { ...found, picture: cover } : found;
}

const EMBEDDED_URI = /^embed{1,2}ed:\/\//;

/** Returns the name of the file with the main icon. */
function findIconName(assets: unknown): string | undefined {
  const icons = (Array.isArray(assets) ? assets : []).filter(
    (one): one is Json => isObject(one) && one.type === "icon" && EMBEDDED_URI.test(String(one.uri)),
  );
  const icon = icons.find(({ name }) => name === "main") ?? icons[0];
  return icon && String(icon.uri).replace(EMBEDDED_URI, "");
}

async function attachPicture(
  card: ReadCard,
  warnings: readonly ItemFailure[],
  entry: ArchiveEntry | undefined,
): Promise<FoundCard> {
  const allWarnings = [...warnings, ...card.warnings];
  if (!entry) return { ...card, warnings: allWarnings };
  if (entry.size > MAX_PICTURE_BYTES) {
    return { ...card, warnings: [...allWarnings, cardTexts.message("portrait_large", { most: 10 })] };
  }
  return { ...card, warnings: allWarnings, picture: await entry.bytes(MAX_PICTURE_BYTES) };
}

async function readEntryJson(entry: ArchiveEntry) {
  return readCardJson(await entry.bytes(MAX_CARD_BYTES));
}

function findInBundle({ json }: { readonly json: unknown }, byName: Files): FoundCards {
  if (!isObject(json) || json.type !== BUNDLE_TYPE || !Array.isArray(json.cards)) {
    throw cardTexts.error("bad_request", "bundle_form");
  }
  const cards = assertCardLimit(json.cards).map((listed) => async () => {
    const path = isObject(listed) ? String(listed.path).toLowerCase() : "";
    const entry = byName.get(path) ?? byName.get(`${path.replace(/\/$/, "")}/character.json`);
    if (!entry) throw cardTexts.error("bad_request", "bundle_gap");
    return readFolderCard(entry, byName);
  });
  return { container: "bundle", cards };
}

/** Many cards in one text may be larger than one card. */
const MAX_BUNDLE_BYTES = 50 * 1024 * 1024;

function findInJson(bytes: Uint8Array): FoundCards {
  const isLarge = bytes.length > MAX_CARD_BYTES;
  const { json, warnings } = readCardJson(bytes, "file", MAX_BUNDLE_BYTES);
  const whole = isObject(json) && json.success === true && isObject(json.data) ? json.data : json;
  const listed = Array.isArray(whole) ? whole : isObject(whole) && Array.isArray(whole.cards) ? whole.cards : undefined;
  const read = (one: unknown) => {
    const card = readCard(one);
    return { ...card, warnings: [...warnings, ...card.warnings] };
  };
  if (listed) return { container: "bundle", cards: assertCardLimit(listed).map((one) => async () => read(one)) };
  if (isLarge) throw cardTexts.error("too_large", "card_large", { most: Math.floor(MAX_CARD_BYTES / 1_048_576) });
  return { container: "json", cards: [async () => read(whole)] };
}

function assertCardLimit(cards: readonly unknown[]): readonly unknown[] {
  if (cards.length > MAX_CARDS) throw cardTexts.error("bad_request", "many_cards", { most: MAX_CARDS });
  return cards;
}

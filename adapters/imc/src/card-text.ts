import { formatLink } from "@parley/core";

type Json = Readonly<Record<string, unknown>>;

const MAX_CARD_CHARS = 4_000;
const MAX_DEPTH = 16;
/** Keys under which a card has what people read. */
const TEXT_KEYS = ["title", "subtitle", "text", "content", "placeholder"] as const;
/** Keys under which the elements of a card have more elements. */
const NESTED_KEYS = ["header", "body", "elements", "columns", "fields", "actions", "options", "extra"] as const;

/** Reads the words of a card: as an event tells them, as lines of a rich text, or as the card was built. "" for one without words. */
export function cardToText(card: Json): string {
  return readElement(card, 0).join("\n").slice(0, MAX_CARD_CHARS).toWellFormed().trim();
}

function readElement(element: unknown, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(element)) return readList(element, depth);
  if (typeof element !== "object" || element === null) return [];
  const own = element as Json;
  if (own.tag === "a" && typeof own.text === "string") return [formatLink(own.text, String(own.href ?? ""))];
  return [
    ...TEXT_KEYS.flatMap((key) => readText(own[key], depth)),
    ...NESTED_KEYS.flatMap((key) => readElement(own[key], depth + 1)),
  ];
}

/** The pieces of one line stand in a line, as in a rich text. */
function readList(list: readonly unknown[], depth: number): readonly string[] {
  const pieces = list.map((one) => readElement(one, depth + 1));
  const isLine = depth > 0 && list.every((one) => isPiece(one)) && pieces.every((piece) => piece.length <= 1);
  return isLine ? [pieces.flat().join("")].filter((line) => line.trim() !== "") : pieces.flat();
}

const isPiece = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  ["text", "a", "at", "emotion", "img"].includes(String((value as Json).tag));

function readText(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return readElement(value, depth + 1);
}

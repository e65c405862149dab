import { formatLink } from "@parley/core/channels";
import { toJsonObject } from "@parley/core/json";

type Json = Readonly<Record<string, unknown>>;

const MAX_CARD_CHARS = 4_000;
const MAX_DEPTH = 16;
/** Keys of a card with visible text. */
const TEXT_KEYS = ["title", "subtitle", "label", "text", "content", "placeholder"] as const;
/** Keys under which elements of a card contain other elements. */
const NESTED_KEYS = [
  ...["i18n", "i18n_content", "header", "i18n_header", "property", "body", "elements", "i18n_elements"],
  ...["text_tag_list", "columns", "fields", "actions", "options", "extra"],
];
/** Keys of translated values, each with the key of the same value without translations. */
const UNTRANSLATED_KEYS: Readonly<Record<string, string>> = {
  i18n_header: "header",
  i18n: "content",
  i18n_content: "content",
  i18n_elements: "elements",
};

/** Returns the texts of a card, from an event, a rich text or the card's source, up to 4,000 characters; empty for a card without text. */
export function cardToText(card: Json): string {
  return readElement(card, 0).join("\n").slice(0, MAX_CARD_CHARS).toWellFormed().trim();
}

function readElement(element: unknown, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(element)) return readList(element, depth);
  if (typeof element !== "object" || element === null) return [];
  const own = element as Json;
  if (own.tag === "a" && typeof own.text === "string") return [formatLink(own.text, String(own.href ?? ""))];
  if (own.tag === "at") return [`@${String(own.user_name ?? own.name ?? own.user_id ?? "")}`];
  if (own.tag === "table") return readTable(own, depth);
  if (typeof own.json_card === "string") return readElement(parseCard(own.json_card), depth + 1);
  const words = TEXT_KEYS.flatMap((key) => readText(own[key], depth));
  const address = findAddress(own);
  return [
    ...(address === "" ? words : [formatLink(words.join(" "), address)]),
    ...NESTED_KEYS.flatMap((key) => readText(getNested(own, key), depth)),
    ...readElement({ url: toJsonObject(own.card_link).url }, depth + 1),
  ];
}

/** Returns a nested value; a translated one in its first language, or undefined when the card also has it untranslated. */
function getNested(own: Json, key: string): unknown {
  const untranslatedKey = UNTRANSLATED_KEYS[key];
  if (untranslatedKey === undefined) return own[key];
  return own[untranslatedKey] === undefined ? Object.values(toJsonObject(own[key]))[0] : undefined;
}

/** Returns the address that an element such as a button opens; empty if it opens none. */
function findAddress({ url, multi_url, behaviors }: Json): string {
  const opened = [behaviors].flat().map((behavior) => toJsonObject(behavior).default_url);
  const found = [url, toJsonObject(multi_url).url, ...opened].find((one) => typeof one === "string" && one !== "");
  return typeof found === "string" ? found : "";
}

/** Reads a table as lines with bars between the cells. */
function readTable({ columns, rows }: Json, depth: number): readonly string[] {
  const listed = [columns].flat().map(toJsonObject);
  const toCell = (value: unknown) =>
    typeof value === "number" || typeof value === "boolean" ? String(value) : readText(value, depth + 1).join(" ");
  const lines = [rows].flat().map((row) => listed.map(({ name }) => toCell(toJsonObject(row)[String(name)])));
  const header = listed.map(({ display_name, name }) => toCell(display_name ?? name));
  return [header, ...lines].map((cells) => cells.join(" | "));
}

function parseCard(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a list: the texts and links of a rich text's line are joined, other elements are lines of their own. */
function readList(list: readonly unknown[], depth: number): readonly string[] {
  const pieces = list.map((one) => readElement(one, depth + 1));
  const isLine = depth > 0 && list.every((one) => isInlineElement(one)) && pieces.every((piece) => piece.length <= 1);
  return isLine ? [pieces.flat().join("")].filter((line) => line.trim() !== "") : pieces.flat();
}

const isInlineElement = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  ["text", "a", "at", "emotion", "img"].includes(String((value as Json).tag));

function readText(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return readElement(value, depth + 1);
}

import { formInWords } from "@parley/core";
import { idOf, isObject } from "./frame.ts";
import type { Segment } from "./segments.ts";

type Data = Segment["data"];

/** What each kind of piece says that is neither a file nor a sign for the service. */
const WORDS: Readonly<Record<string, (data: Data) => string>> = {
  text: ({ text }) => (typeof text === "string" ? text : ""),
  at: ({ qq, name }) => `@${qq === "all" ? "all" : idOf(name).replace(/^@/, "") || idOf(qq)} `,
  face: ({ id, raw }) => formInWords("face", faceName(raw) || idOf(id)),
  mface: ({ summary }) => formInWords("sticker", idOf(summary).replace(/^\[(.*)\]$/, "$1")),
  dice: ({ result }) => formInWords("dice", result),
  rps: ({ result }) => formInWords("rock paper scissors", ["", "paper", "scissors", "rock"][Number(result)] ?? ""),
  shake: () => formInWords("shake"),
  poke: ({ name }) => formInWords("poke", name),
  forward: () => "[forwarded messages]",
  share: (data) => formInWords("share", data.title, data.content, data.url),
  music: (data) => formInWords("music", data.title, data.content ?? data.singer, data.url ?? data.audio),
  location: (data) =>
    formInWords("location", data.title ?? data.name, data.content ?? data.address, placeOf(data.lat, data.lon)),
  contact: ({ type, id, name }) => formInWords("contact", name, type === "group" ? "group" : "", id),
  markdown: ({ content }) => formInWords("markdown", content),
  xml: ({ data, title }) => formInWords("xml", title ?? xmlTitle(data)),
  json: cardInWords,
};

/** A piece in words; undefined for kinds that nobody knows. */
export function segmentInWords({ type, data }: Segment): string | undefined {
  return Object.hasOwn(WORDS, type) ? WORDS[type]?.(data) : undefined;
}

function faceName(raw: unknown): string {
  return isObject(raw)
    ? idOf(raw.faceText)
        .replace(/^\[(.*)\]$/, "$1")
        .replace(/^\//, "")
    : "";
}

function placeOf(lat: unknown, lon: unknown): string {
  return idOf(lat) === "" || idOf(lon) === "" ? "" : `${idOf(lat)},${idOf(lon)}`;
}

function xmlTitle(data: unknown): string {
  const [, brief = ""] = /\bbrief="([^"]*)"/.exec(idOf(data)) ?? [];
  const [, title = ""] = /<title[^>]*>([^<]*)</.exec(idOf(data)) ?? [];
  return brief || title;
}

const ADDRESSES = ["qqdocurl", "jumpUrl", "jump_url", "url", "musicUrl"] as const;

/** A shared card: what people see of it, and where it leads. */
function cardInWords({ data, title, content, name }: Data): string {
  const card = isObject(data) ? data : parsed(data);
  const details = isObject(card?.meta) ? Object.values(card.meta).filter(isObject) : [];
  const seen = details.map((detail) => idOf(detail.desc) || idOf(detail.title)).find((text) => text !== "");
  // The prompt is what lists of conversations show of it, such as `[Share] Night song`.
  const prompt = idOf(card?.prompt).replace(/^\[[^\]]*\]\s*/, "");
  const words = prompt || seen || idOf(card?.desc);
  const url = details.flatMap((detail) => ADDRESSES.map((key) => idOf(detail[key]))).find((address) => address !== "");
  if (words || url) return formInWords("share", words, url);
  return formInWords("json", title ?? content ?? name);
}

function parsed(data: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(idOf(data));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

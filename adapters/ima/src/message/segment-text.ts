import { formInWords } from "@parley/core";
import { isObject, toIdText } from "../bridge/frame.ts";
import type { Segment } from "./segment.ts";

type SegmentData = Segment["data"];

/** Texts by type of segment, except files and signs for the service. */
const TEXT_BY_TYPE: Readonly<Record<string, (data: SegmentData) => string>> = {
  text: ({ text }) => toIdText(text),
  at: ({ qq, name }) => `@${qq === "all" ? "all" : toIdText(name).replace(/^@/, "") || toIdText(qq)} `,
  face: ({ id, raw }) => formInWords("face", toFaceName(raw) || toIdText(id)),
  mface: ({ summary }) => stickerToText(summary),
  marketface: ({ summary }) => stickerToText(summary),
  bface: ({ text }) => stickerToText(text),
  tts: ({ text }) => toIdText(text),
  // Only marks an anonymous sender.
  anonymous: () => "",
  dice: ({ result }) => formInWords("dice", result),
  rps: ({ result }) => formInWords("rock paper scissors", ["", "paper", "scissors", "rock"][Number(result)] ?? ""),
  shake: () => formInWords("shake"),
  poke: ({ name }) => formInWords("poke", name),
  forward: () => "[forwarded messages]",
  share: (data) => formInWords("share", data.title, data.content, data.url),
  music: (data) => formInWords("music", data.title, data.content ?? data.singer, data.url ?? data.audio),
  location: (data) =>
    formInWords("location", data.title ?? data.name, data.content ?? data.address, toCoordinates(data.lat, data.lon)),
  contact: ({ type, id, name }) => formInWords("contact", name, type === "group" ? "group" : "", id),
  markdown: ({ content }) => formInWords("markdown", content),
  xml: ({ data, title }) => formInWords("xml", title ?? getXmlTitle(data)),
  redbag: ({ title }) => formInWords("red packet", title),
  json: cardToText,
  lightapp: (data) => cardToText({ ...data, data: data.data ?? data.content }),
  miniapp: (data) => cardToText({ ...data, data: data.data ?? data.content }),
};

/** Describes a segment in words; undefined for unknown types. */
export function segmentToText({ type, data }: Segment): string | undefined {
  return Object.hasOwn(TEXT_BY_TYPE, type) ? TEXT_BY_TYPE[type]?.(data) : undefined;
}

function stickerToText(meaning: unknown): string {
  return formInWords("sticker", toIdText(meaning).replace(/^\[(.*)\]$/, "$1"));
}

function toFaceName(raw: unknown): string {
  return isObject(raw)
    ? toIdText(raw.faceText)
        .replace(/^\[(.*)\]$/, "$1")
        .replace(/^\//, "")
    : "";
}

function toCoordinates(lat: unknown, lon: unknown): string {
  return toIdText(lat) === "" || toIdText(lon) === "" ? "" : `${toIdText(lat)},${toIdText(lon)}`;
}

function getXmlTitle(data: unknown): string {
  const [, brief = ""] = /\bbrief="([^"]*)"/.exec(toIdText(data)) ?? [];
  const [, title = ""] = /<title[^>]*>([^<]*)</.exec(toIdText(data)) ?? [];
  return brief || title;
}

const URL_FIELDS = ["qqdocurl", "jumpUrl", "jump_url", "url", "musicUrl"] as const;

/** Describes a shared card: its visible text, and its link. */
function cardToText({ data, title, content, name }: SegmentData): string {
  const card = isObject(data) ? data : parseObject(data);
  const details = isObject(card?.meta) ? Object.values(card.meta).filter(isObject) : [];
  // The prompt is its text in conversation lists, such as `[Share] Night song`.
  const prompt = toIdText(card?.prompt).replace(/^\[[^\]]*\]\s*/, "");
  const words = joinVisible([prompt, ...details.map(toDetailText)]) || toIdText(card?.desc);
  const url = details
    .flatMap((detail) => URL_FIELDS.map((key) => toIdText(detail[key])))
    .find((address) => address !== "");
  if (words || url) return formInWords("share", words, url);
  return formInWords("json", title ?? content ?? name);
}

/** The words of a part of a card; its title is often the name of a program, and shown where there is nothing else. */
function toDetailText(detail: Readonly<Record<string, unknown>>): string {
  const { title, desc, text, address, news, encode } = detail;
  // Group announcements are encoded.
  const read = (value: unknown) =>
    encode === 1 ? Buffer.from(toIdText(value), "base64").toString("utf8") : toIdText(value);
  const lines = Array.isArray(news) ? news.filter(isObject).map((line) => toIdText(line.text)) : [];
  return joinVisible([read(desc), read(text), toIdText(address), ...lines]) || read(title);
}

/** Texts one after the other, without those that another one says already. */
function joinVisible(texts: readonly string[]): string {
  const visible = texts.map((text) => text.trim()).filter((text) => text !== "");
  return visible.filter((text, at) => !visible.some((other, before) => before < at && other.includes(text))).join(" ");
}

function parseObject(data: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(toIdText(data));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import { formatContent } from "@parley/core/channels";
import { isObject, parseJsonObject } from "@parley/core/json";
import { toIdText } from "../bridge/frame.ts";
import type { Segment } from "./segment.ts";

type SegmentData = Segment["data"];

/** Converts segments to text, by type; files and replies are not among them. */
const TEXT_BY_TYPE: Readonly<Record<string, (data: SegmentData) => string>> = {
  text: ({ text }) => toIdText(text),
  at: (data) => {
    const id = getMentionedId(data);
    return `@${id === "all" ? "all" : toIdText(data.name).replace(/^@/, "") || id} `;
  },
  mention_all: () => "@all ",
  face: ({ id, raw }) => formatContent("face", toFaceName(raw) || toIdText(id)),
  mface: ({ summary }) => stickerToText(summary),
  marketface: ({ summary }) => stickerToText(summary),
  bface: ({ text }) => stickerToText(text),
  tts: ({ text }) => toIdText(text),
  // The segment only marks an anonymous sender.
  anonymous: () => "",
  dice: ({ result, id }) => formatContent("dice", result ?? id),
  rps: ({ result, id }) =>
    formatContent("rock paper scissors", ["", "paper", "scissors", "rock"][Number(result ?? id)] ?? ""),
  shake: () => formatContent("shake"),
  poke: ({ name }) => formatContent("poke", name),
  forward: () => "[forwarded messages]",
  share: (data) => formatContent("share", data.title, data.content, data.url),
  music: (data) => formatContent("music", data.title, data.content ?? data.singer, data.url ?? data.audio),
  location: (data) =>
    formatContent(
      "location",
      data.title ?? data.name,
      data.content ?? data.address,
      toCoordinates(data.lat ?? data.latitude, data.lon ?? data.lng ?? data.longitude),
    ),
  contact: ({ type, id, name, nickname, user_id, group_id }) =>
    formatContent("contact", name ?? nickname, type === "group" ? "group" : "", id ?? user_id ?? group_id),
  gift: ({ name, title }) => formatContent("gift", name ?? title),
  keyboard: ({ content }) => listButtons(content).join("") || formatContent("button"),
  markdown: ({ content }) => formatContent("markdown", content),
  xml: ({ data, title }) => formatContent("xml", title ?? getXmlWords(data)),
  redbag: ({ title }) => formatContent("red packet", title),
  json: cardToText,
  lightapp: (data) => cardToText({ ...data, data: data.data ?? data.content }),
  miniapp: (data) => cardToText({ ...data, data: data.data ?? data.content }),
};

/** Describes a segment in words; undefined for unknown types. */
export function segmentToText({ type, data }: Segment): string | undefined {
  return Object.hasOwn(TEXT_BY_TYPE, type) ? TEXT_BY_TYPE[type]?.(data) : undefined;
}

function stickerToText(meaning: unknown): string {
  return formatContent("sticker", toIdText(meaning).replace(/^\[(.*)\]$/, "$1"));
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

/** Returns the id that a mention names, whichever field the bridge puts it in. */
export function getMentionedId({ qq, user_id, id, uin, target }: SegmentData): string {
  return toIdText(qq ?? user_id ?? id ?? uin ?? target);
}

/** Lists the buttons of a keyboard, row by row, with the addresses that they open. */
function listButtons(content: unknown): readonly string[] {
  const { rows } = isObject(content) ? content : {};
  const buttons = [rows].flat().flatMap((row) => (isObject(row) ? [row.buttons].flat() : []));
  return buttons.filter(isObject).map(({ render_data, action }) => {
    const { label } = isObject(render_data) ? render_data : {};
    const { type, data } = isObject(action) ? action : {};
    return formatContent("button", label, Number(type) === 0 ? data : "");
  });
}

/** Returns the visible texts of an XML card: its line in lists, title, summary and address. */
function getXmlWords(data: unknown): string {
  const xml = toIdText(data);
  const elements = [...xml.matchAll(/<(?:title|summary)\b[^>]*>(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*))/g)];
  const [brief = "", url = ""] = ["brief", "url"].map((name) => {
    const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(xml) ?? [];
    return double ?? single ?? "";
  });
  const texts = [decodeXml(brief), ...elements.map(([, cdata, text = ""]) => cdata ?? decodeXml(text)), decodeXml(url)];
  return joinVisible(texts);
}

const XML_ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = "") => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (XML_ENTITIES[name] ?? whole);
    },
  );
}

const URL_FIELDS = ["qqdocurl", "jumpUrl", "jump_url", "url", "musicUrl"] as const;

/** Describes a shared card: its visible text, and its link. */
function cardToText({ data, title, content, name }: SegmentData): string {
  const card = isObject(data) ? data : parseJsonObject(toIdText(data));
  const details = isObject(card?.meta) ? toDetails(card.meta) : [];
  // The prompt is its text in conversation lists, such as `[Share] Night song`.
  const prompt = toIdText(card?.prompt).replace(/^\[[^\]]*\]\s*/, "");
  const words = joinVisible([prompt, ...details.flatMap(toDetailTexts)]) || toIdText(card?.desc);
  const url = details
    .flatMap((detail) => URL_FIELDS.map((key) => toIdText(detail[key])))
    .find((address) => address !== "");
  if (words || url) return formatContent("share", words, url);
  return formatContent("json", title ?? content ?? name);
}

/** Lists the parts of a card; the title of a small program's part names the program, and is left out where there are other words. */
function toDetails(meta: SegmentData): readonly SegmentData[] {
  return Object.entries(meta).flatMap(([key, detail]) =>
    isObject(detail) ? [{ ...detail, isProgram: /^detail/.test(key) }] : [],
  );
}

function toDetailTexts(detail: SegmentData): readonly string[] {
  const { title, desc, text, address, nickname, contact, name, news, encode, isProgram } = detail;
  // Group announcements are encoded.
  const read = (value: unknown) =>
    encode === 1 ? Buffer.from(toIdText(value), "base64").toString("utf8") : toIdText(value);
  const lines = Array.isArray(news) ? news.filter(isObject).map((line) => toIdText(line.text)) : [];
  const facts = [nickname, contact, name, address].map(toIdText);
  const texts = [read(desc), read(text), ...facts, ...lines].filter((line) => line.trim() !== "");
  return texts.length > 0 && isProgram === true ? texts : [read(title), ...texts];
}

/** Joins texts, without those that another one contains. */
function joinVisible(texts: readonly string[]): string {
  const visible = texts.map((text) => text.trim()).filter((text) => text !== "");
  return visible.filter((text, at) => !visible.some((other, before) => before < at && other.includes(text))).join(" ");
}

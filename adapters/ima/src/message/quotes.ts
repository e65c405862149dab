import type { Attachment, InboundMessage } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { formatQuote } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import type { Bridge } from "../bridge/bridge.ts";
import { type BridgeEvent, toBridgeId, toIdText } from "../bridge/frame.ts";
import { toAttachment } from "./media.ts";
import type { Segment } from "./segment.ts";
import { getMentionedId } from "./segment-text.ts";
import { type FileSegment, readSegments, toSegments } from "./segments.ts";

const MAX_FORWARD_CHARS = 8_000;
const MAX_NODES = 50;
/** Maximum number of pictures taken from forwarded messages. */
const MAX_FORWARDED_PICTURES = 4;
/** Maximum depth of forwarded messages within forwarded messages. */
const MAX_FORWARD_DEPTH = 3;
/** Maximum number of mentioned people whose names are looked up. */
const MAX_NAMES = 10;
const FETCH_TIMEOUT_MS = 3_000;

/** Adds quoted and forwarded texts to the message, except those that the bridge does not return in time. */
export async function addQuotes(message: InboundMessage, event: BridgeEvent, bridge: Bridge): Promise<InboundMessage> {
  const segments = toSegments(event.message);
  const forwards = segments.filter(({ type }) => type === "forward");
  const { replyTo, conversation } = message;
  const [text, quote, ...forwarded] = await Promise.all([
    withTimeout(readWithNames(bridge, segments, message)),
    replyTo === undefined ? undefined : withTimeout(fetchQuote(bridge, replyTo, conversation.id)),
    ...forwards.map((segment) => withTimeout(fetchForward(bridge, segment))),
  ]);
  const parts = [text ?? message.text, ...forwarded.map((forward) => forward?.text)];
  const pictures = forwarded.flatMap((forward) => forward?.pictures ?? []).slice(0, MAX_FORWARDED_PICTURES);
  const quoted = quote?.quoted ?? getOwnQuote(segments);
  return {
    ...message,
    text: parts.filter((text) => text !== undefined && text !== "").join("\n"),
    attachments: [
      ...message.attachments,
      ...(quote?.pictures ?? []),
      ...pictures.map((file) => toAttachment(file, conversation.id)),
    ],
    ...(quoted !== "" && { quoted }),
  };
}

/** Returns the text with the names of mentioned people; undefined when no mention lacks a name. */
async function readWithNames(
  bridge: Bridge,
  segments: readonly Segment[],
  { conversation, account = "" }: InboundMessage,
): Promise<string | undefined> {
  const isUnnamed = ({ type, data }: Segment) =>
    type === "at" && toIdText(data.name) === "" && !["all", account, ""].includes(getMentionedId(data));
  const ids = [...new Set(segments.filter(isUnnamed).map(({ data }) => getMentionedId(data)))].slice(0, MAX_NAMES);
  if (ids.length === 0 || !conversation.isGroup) return undefined;
  const group_id = toBridgeId(conversation.id.replace(/^group:/, ""));
  const infos = await Promise.all(
    ids.map((id) => bridge.call("get_group_member_info", { group_id, user_id: toBridgeId(id) }).catch(() => undefined)),
  );
  const names = new Map(infos.map((info, at) => [ids[at], isObject(info) ? toMemberName(info) : ""]));
  const named = segments.map((segment) =>
    isUnnamed(segment)
      ? { ...segment, data: { ...segment.data, name: names.get(getMentionedId(segment.data)) } }
      : segment,
  );
  return readSegments(named, account).text;
}

/** Returns the quoted text that the reply itself contains, in case the bridge does not return the message. */
function getOwnQuote(segments: readonly Segment[]): string {
  const reply = segments.find(({ type }) => type === "reply");
  return formatQuote("", toIdText(reply?.data.text));
}

interface Quote {
  readonly quoted: string;
  readonly pictures: readonly Attachment[];
}

async function fetchQuote(bridge: Bridge, id: string, conversation: string): Promise<Quote | undefined> {
  const answer = await bridge.call("get_msg", { message_id: toBridgeId(id) });
  if (!isObject(answer)) return undefined;
  const segments = toSegments(answer.message ?? answer.raw_message);
  const forwards = segments.filter(({ type }) => type === "forward");
  const forwarded = await Promise.all(forwards.map((segment) => withTimeout(fetchForward(bridge, segment))));
  const files = [...readSegments(segments, "").files, ...forwarded.flatMap((forward) => forward?.pictures ?? [])];
  const pictures = files.filter(({ type }) => type === "image").slice(0, MAX_FORWARDED_PICTURES);
  const quoted = [toLine(answer), ...forwarded.map((forward) => forward?.text)].filter(Boolean).join("\n");
  return { quoted: formatQuote("", quoted), pictures: pictures.map((file) => toAttachment(file, conversation)) };
}

interface Forward {
  readonly text: string;
  readonly pictures: readonly FileSegment[];
}

async function fetchForward(bridge: Bridge, { data }: Segment): Promise<Forward> {
  const nodes = Array.isArray(data.content) ? data.content : await fetchForwardNodes(bridge, toIdText(data.id));
  const messages = nodes.slice(0, MAX_NODES).filter(isObject).map(toNodeMessage);
  const lines = messages.map((message) => toLine(message, 1)).filter((line) => line !== "");
  const pictures = messages
    .flatMap((message) => readSegments(toSegments(message.message ?? message.content), "").files)
    .filter(({ type }) => type === "image");
  return { text: lines.join("\n").slice(0, MAX_FORWARD_CHARS).toWellFormed(), pictures };
}

/** Returns the message of a node, which contains it or is one. */
function toNodeMessage(node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(node.data) ? node.data : node;
}

async function fetchForwardNodes(bridge: Bridge, id: string): Promise<readonly unknown[]> {
  const answer = await bridge.call("get_forward_msg", { id, message_id: id });
  if (!isObject(answer)) return [];
  const found = answer.messages ?? answer.message;
  return Array.isArray(found) ? found : [];
}

/** Formats a message as `name: text`; messages that it forwards follow indented where the bridge sent them along. */
function toLine(message: Readonly<Record<string, unknown>>, depth = MAX_FORWARD_DEPTH): string {
  const segments = toSegments(message.message ?? message.content);
  const { text, files } = readSegments(segments, "");
  const quoteLines = [text, ...files.map(({ type, name }) => `[${type}${name === "" ? "" : ` ${name}`}]`)];
  const nested = depth < MAX_FORWARD_DEPTH ? segments.flatMap((segment) => toNestedLines(segment, depth + 1)) : [];
  const line = [quoteLines.filter((part) => part !== "").join(" "), ...nested].filter((part) => part !== "").join("\n");
  const name = toMemberName(isObject(message.sender) ? message.sender : message);
  return line === "" || name === "" ? line : `${name}: ${line}`;
}

function toMemberName({ card, nickname, name }: Readonly<Record<string, unknown>>): string {
  return toIdText(card) || toIdText(nickname) || toIdText(name);
}

function toNestedLines({ type, data }: Segment, depth: number): readonly string[] {
  if (type !== "forward" || !Array.isArray(data.content)) return [];
  const lines = data.content
    .slice(0, MAX_NODES)
    .filter(isObject)
    .map((node) => toLine(toNodeMessage(node), depth));
  return lines.filter((line) => line !== "").map((line) => line.replaceAll(/^/gm, "  "));
}

/** Resolves to undefined when the work fails or takes longer than a message may wait for its quotes. */
async function withTimeout<Found>(work: Promise<Found>): Promise<Found | undefined> {
  try {
    return await resolveWithin(work, FETCH_TIMEOUT_MS);
  } catch {
    // The bridge does not support the call, or the message was deleted.
    return undefined;
  }
}

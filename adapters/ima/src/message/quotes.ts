import { type Attachment, type InboundMessage, quoteInWords, resolveWithin } from "@parley/core";
import type { Bridge } from "../bridge/bridge.ts";
import { type BridgeEvent, isObject, toBridgeId, toIdText } from "../bridge/frame.ts";
import { toAttachment } from "./media.ts";
import type { Segment } from "./segment.ts";
import { type FileSegment, readSegments, toSegments } from "./segments.ts";

const MAX_FORWARD_CHARS = 8_000;
const MAX_NODES = 50;
/** Pictures of forwarded messages that are looked at. */
const MAX_FORWARDED_PICTURES = 4;
/** Forwarded messages within forwarded ones are read so deep. */
const MAX_FORWARD_DEPTH = 3;
const FETCH_TIMEOUT_MS = 3_000;

/** Adds quoted and forwarded texts to the message; those the bridge does not return in time are left out. */
export async function addQuotes(message: InboundMessage, event: BridgeEvent, bridge: Bridge): Promise<InboundMessage> {
  const segments = toSegments(event.message);
  const forwards = segments.filter(({ type }) => type === "forward");
  const { replyTo, conversation } = message;
  const [quote, ...forwarded] = await Promise.all([
    replyTo === undefined ? undefined : withTimeout(fetchQuote(bridge, replyTo, conversation.id)),
    ...forwards.map((segment) => withTimeout(fetchForward(bridge, segment))),
  ]);
  const parts = [message.text, ...forwarded.map((forward) => forward?.text)];
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

/** The quoted words that a reply itself has, where the bridge does not tell the message. */
function getOwnQuote(segments: readonly Segment[]): string {
  const reply = segments.find(({ type }) => type === "reply");
  return quoteInWords("", toIdText(reply?.data.text));
}

interface Quote {
  readonly quoted: string;
  readonly pictures: readonly Attachment[];
}

async function fetchQuote(bridge: Bridge, id: string, conversation: string): Promise<Quote | undefined> {
  const answer = await bridge.call("get_msg", { message_id: toBridgeId(id) });
  if (!isObject(answer)) return undefined;
  const { files } = readSegments(toSegments(answer.message), "");
  const pictures = files.filter(({ type }) => type === "image").map((file) => toAttachment(file, conversation));
  return { quoted: quoteInWords("", toLine(answer)), pictures };
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

/** A node holds its message, or is one. */
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
  const sender = isObject(message.sender) ? message.sender : message;
  const name = toIdText(sender.card) || toIdText(sender.nickname) || toIdText(sender.name);
  return line === "" || name === "" ? line : `${name}: ${line}`;
}

function toNestedLines({ type, data }: Segment, depth: number): readonly string[] {
  if (type !== "forward" || !Array.isArray(data.content)) return [];
  const lines = data.content
    .slice(0, MAX_NODES)
    .filter(isObject)
    .map((node) => toLine(toNodeMessage(node), depth));
  return lines.filter((line) => line !== "").map((line) => line.replaceAll(/^/gm, "  "));
}

/** Resolves to undefined when the work takes longer than a message may wait for those that it quotes. */
async function withTimeout<Found>(work: Promise<Found>): Promise<Found | undefined> {
  try {
    return await resolveWithin(work, FETCH_TIMEOUT_MS);
  } catch {
    // The bridge does not support the call, or the message was deleted.
    return undefined;
  }
}

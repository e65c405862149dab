import { type Attachment, type InboundMessage, quoteInWords } from "@parley/core";
import type { Bridge } from "../bridge/bridge.ts";
import { type BridgeEvent, isObject, toBridgeId, toIdText } from "../bridge/frame.ts";
import { toAttachment } from "./media.ts";
import { readSegments, type Segment, toSegments } from "./segments.ts";

const MAX_FORWARD_CHARS = 8_000;
const MAX_NODES = 50;
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
  const parts = [message.text, ...forwarded].filter((text) => text !== undefined && text !== "");
  return {
    ...message,
    text: parts.join("\n"),
    attachments: [...message.attachments, ...(quote?.pictures ?? [])],
    ...(quote && quote.quoted !== "" && { quoted: quote.quoted }),
  };
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

async function fetchForward(bridge: Bridge, { data }: Segment): Promise<string | undefined> {
  const answer = Array.isArray(data.content) ? data.content : await fetchForwardNodes(bridge, toIdText(data.id));
  const lines = answer
    .slice(0, MAX_NODES)
    .filter(isObject)
    // A node holds its message, or is one.
    .map((node) => toLine(isObject(node.data) ? node.data : node))
    .filter((line) => line !== "");
  return lines.join("\n").slice(0, MAX_FORWARD_CHARS);
}

async function fetchForwardNodes(bridge: Bridge, id: string): Promise<readonly unknown[]> {
  const answer = await bridge.call("get_forward_msg", { id, message_id: id });
  if (!isObject(answer)) return [];
  const found = answer.messages ?? answer.message;
  return Array.isArray(found) ? found : [];
}

/** Formats a message as `name: text`, one level deep. */
function toLine(message: Readonly<Record<string, unknown>>): string {
  const { text, files } = readSegments(toSegments(message.message ?? message.content), "");
  const said = [text, ...files.map(({ type, name }) => `[${type}${name === "" ? "" : ` ${name}`}]`)];
  const line = said.filter((part) => part !== "").join(" ");
  const sender = isObject(message.sender) ? message.sender : message;
  const name = toIdText(sender.card) || toIdText(sender.nickname) || toIdText(sender.name);
  return line === "" || name === "" ? line : `${name}: ${line}`;
}

/** Waits a limited time, so that a new message is not delayed by earlier ones. */
async function withTimeout<Found>(work: Promise<Found>): Promise<Found | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), FETCH_TIMEOUT_MS);
  try {
    return await Promise.race([work, promise]);
  } catch {
    // A bridge that does not know the call, or a message that is gone.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

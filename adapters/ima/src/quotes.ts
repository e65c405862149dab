import { type Attachment, type InboundMessage, quoteInWords } from "@parley/core";
import type { Bridge } from "./bridge.ts";
import { type BridgeEvent, idOf, isObject, numberOf } from "./frame.ts";
import { attachmentOf } from "./media.ts";
import { readSegments, type Segment, segmentsOf } from "./segments.ts";

const MAX_FORWARD = 8_000;
const MAX_NODES = 50;
const WITHIN_MS = 3_000;

/** The message with what it quotes and forwards, in words; without what the bridge does not tell in time. */
export async function withContext(
  message: InboundMessage,
  event: BridgeEvent,
  bridge: Bridge,
): Promise<InboundMessage> {
  const segments = segmentsOf(event.message);
  const forwards = segments.filter(({ type }) => type === "forward");
  const { replyTo, conversation } = message;
  const [quote, ...forwarded] = await Promise.all([
    replyTo === undefined ? undefined : inTime(quoteOf(bridge, replyTo, conversation.id)),
    ...forwards.map((segment) => inTime(forwardOf(bridge, segment))),
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

async function quoteOf(bridge: Bridge, id: string, conversation: string): Promise<Quote | undefined> {
  const answer = await bridge.call("get_msg", { message_id: numberOf(id) });
  if (!isObject(answer)) return undefined;
  const { files } = readSegments(segmentsOf(answer.message), "");
  const pictures = files.filter(({ type }) => type === "image").map((file) => attachmentOf(file, conversation));
  return { quoted: quoteInWords("", lineOf(answer)), pictures };
}

async function forwardOf(bridge: Bridge, { data }: Segment): Promise<string | undefined> {
  const answer = Array.isArray(data.content) ? data.content : await asked(bridge, idOf(data.id));
  const lines = answer
    .slice(0, MAX_NODES)
    .filter(isObject)
    // A node holds its message, or is one.
    .map((node) => lineOf(isObject(node.data) ? node.data : node))
    .filter((line) => line !== "");
  return lines.join("\n").slice(0, MAX_FORWARD);
}

async function asked(bridge: Bridge, id: string): Promise<readonly unknown[]> {
  const answer = await bridge.call("get_forward_msg", { id, message_id: id });
  if (!isObject(answer)) return [];
  const found = answer.messages ?? answer.message;
  return Array.isArray(found) ? found : [];
}

/** `name: text` of one message, one level deep. */
function lineOf(message: Readonly<Record<string, unknown>>): string {
  const { text, files } = readSegments(segmentsOf(message.message ?? message.content), "");
  const said = [text, ...files.map(({ type, name }) => `[${type}${name === "" ? "" : ` ${name}`}]`)];
  const line = said.filter((part) => part !== "").join(" ");
  const sender = isObject(message.sender) ? message.sender : message;
  const name = idOf(sender.card) || idOf(sender.nickname) || idOf(sender.name);
  return line === "" || name === "" ? line : `${name}: ${line}`;
}

/** What was said must not wait long for what was said before. */
async function inTime<Found>(work: Promise<Found>): Promise<Found | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), WITHIN_MS);
  try {
    return await Promise.race([work, promise]);
  } catch {
    // A bridge that does not know the call, or a message that is gone.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

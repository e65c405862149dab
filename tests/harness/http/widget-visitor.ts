import { once } from "node:events";
import { WebSocket } from "ws";

export type WidgetFrame = Readonly<Record<string, unknown>> & { readonly type: string };

/** A message of a website chat as its visitor sees it. */
export interface WidgetMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly url: string }[];
  readonly temp_id?: string;
}

/** One page of a visitor, as the script's socket behaves. */
export interface WidgetPage extends Disposable {
  readonly frames: readonly WidgetFrame[];
  /** The visitor's token and conversation; empty before the `welcome`. */
  readonly visitor: string;
  history(): readonly WidgetMessage[];
  send(frame: object): void;
  /** Waits for the first matching frame from index `from` on. */
  next(fits: (frame: WidgetFrame) => boolean, from?: number): Promise<WidgetFrame>;
  /** Sends a message and returns its `ack` or `error`. */
  say(text: string, tempId: string, files?: readonly string[]): Promise<WidgetFrame>;
  /** Waits for the next answer with this text. */
  answer(text: string): Promise<WidgetFrame>;
  closed(): Promise<number>;
}

export interface WidgetPageOptions {
  readonly channelId: string;
  readonly origin?: string;
  readonly visitor?: string;
  readonly language?: string;
  /** Local address that the page connects from. */
  readonly from?: string;
  /** False sends no `hello`. */
  readonly isGreeting?: boolean;
}

/** Opens a page's socket. Rejects with the status when the upgrade is rejected. */
export async function openWidgetPage(address: string, options: WidgetPageOptions): Promise<WidgetPage> {
  const { channelId, origin = address, visitor, language = "en", from, isGreeting = true } = options;
  const socket = new WebSocket(`${address.replace("http", "ws")}/api/widget/${channelId}/socket`, {
    ...(origin !== "" && { origin }),
    ...(from !== undefined && { localAddress: from }),
  });
  const frames: WidgetFrame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (text) => {
    frames.push(JSON.parse(String(text)));
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const rejected = once(socket, "unexpected-response").then(([, response]) => {
    throw new Error(`rejected with ${response.statusCode}`);
  });
  await Promise.race([once(socket, "open"), rejected]);
  rejected.catch(() => {});
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const next: WidgetPage["next"] = (fits, start = 0) =>
    new Promise((resolve) => {
      const look = () => {
        const found = frames.slice(start).find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const welcome = () => frames.findLast(({ type }) => type === "welcome");
  if (isGreeting) {
    send({ type: "hello", version: 1, language, ...(visitor !== undefined && { visitor }) });
    await Promise.race([next(({ type }) => type === "welcome"), closed]);
  }
  return {
    frames,
    get visitor() {
      return String(welcome()?.visitor ?? "");
    },
    history: () => (welcome()?.history ?? []) as readonly WidgetMessage[],
    send,
    next,
    say(text, tempId, files = []) {
      const before = frames.length;
      send({ type: "message", text, temp_id: tempId, files });
      return next(({ type, temp_id }) => (type === "ack" || type === "error") && temp_id === tempId, before);
    },
    answer: (text) =>
      next(({ type, role, ...rest }) => type === "message" && role === "assistant" && rest.text === text),
    closed: () => closed,
    [Symbol.dispose]: () => socket.terminate(),
  };
}

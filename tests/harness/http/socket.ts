import { once } from "node:events";
import { WebSocket } from "ws";
import type { Client } from "./client.ts";

export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** The console's socket as a browser uses it. */
export interface Socket extends Disposable {
  /** All received frames, oldest first. */
  readonly frames: readonly Frame[];
  send(frame: object): void;
  /** Sends a frame and returns its `ack`. */
  ask(frame: object): Promise<Frame>;
  /** Waits until the service closes the socket; returns the close code. */
  closed(): Promise<number>;
  /** Waits for the first matching frame among those received from index `from` on. */
  next(fits: (frame: Frame) => boolean, from?: number): Promise<Frame>;
}

let askCount = 0;

export async function openSocket({ address, token }: Client, language?: string): Promise<Socket> {
  const query = language === undefined ? "" : `?language=${language}`;
  const socket = new WebSocket(`${address.replace("http", "ws")}/api/ws${query}`, ["parley.v1", `bearer.${token}`]);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (text) => {
    frames.push(JSON.parse(String(text)));
    for (const look of waiting) look();
  });
  await once(socket, "open");
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const next: Socket["next"] = (fits, from = 0) =>
    new Promise((resolve) => {
      const look = () => {
        const found = frames.slice(from).find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    frames,
    next,
    closed: () => closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    ask(frame) {
      const id = `ask-${++askCount}`;
      socket.send(JSON.stringify({ id, ...frame }));
      return next((answer) => answer.type === "ack" && answer.id === id);
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** Assembles the text of one reply from its deltas as a client does; throws on a gap. */
export function assembleReply(frames: readonly Frame[], messageId: unknown): string {
  let text = "";
  let nextIndex: number | undefined;
  for (const frame of frames) {
    if (frame.type === "ai_stream_start" && (frame.message as { id: string }).id === messageId) {
      text = (frame.message as { content: string }).content;
      nextIndex = undefined;
    }
    if (frame.type !== "ai_stream_chunk" || frame.message_id !== messageId) continue;
    if (nextIndex !== undefined && frame.index !== nextIndex) throw new Error(`chunk ${nextIndex} is missing`);
    nextIndex = Number(frame.index) + 1;
    text += String(frame.chunk);
  }
  return text;
}

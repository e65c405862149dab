import { EventEmitter, on } from "node:events";
import type { FakePlatform, PlatformFault } from "./channel-contract/case.ts";

/** One line on the connection of the fictional platform. */
export interface Frame {
  readonly kind: string;
  readonly id?: string;
  readonly key?: string;
  readonly chat?: string;
  readonly text?: string;
  readonly replyTo?: string;
  readonly isMention?: boolean;
}

/** One end of a connection in memory. */
export interface WireSocket {
  readonly lines: AsyncIterable<string>;
  write(line: string): void;
  end(): void;
}

/** An in-memory platform to which adapters connect. */
export interface WirePlatform {
  dial(): Promise<WireSocket>;
  person(): FakePlatform;
}

const FRAME_BY_FAULT: Readonly<Record<Exclude<PlatformFault, "reset-after">, string>> = {
  throttle: "wait",
  refuse: "no",
  auth: "who",
  fail: "busy",
};

/** Creates a platform with a single connection that shows a text once per key, and expects an acknowledgement of each message. */
export function createWirePlatform(): WirePlatform {
  const shown: { readonly key: string; readonly text: string }[] = [];
  const received: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  const faults: PlatformFault[] = [];
  let socket: ReturnType<typeof createSocketPair>["far"] | undefined;
  let isHanging = false;
  let repliedTo: string | undefined;

  const answerText = (frame: Frame, far: WireSocket) => {
    const { key = "", chat, text = "" } = frame;
    const fault = faults.shift();
    const answer = (kind: string) => far.write(JSON.stringify({ kind, key, id: `p${shown.length}` }));
    if (isHanging) return undefined;
    if (fault && fault !== "reset-after") return answer(FRAME_BY_FAULT[fault]);
    if (chat !== "ann") return answer("no");
    if (!shown.some((one) => one.key === key)) {
      shown.push({ key, text });
      received.push(text);
      repliedTo = frame.replyTo;
      events.emit("heard");
    }
    return fault ? far.end() : answer("shown");
  };
  const serve = async (far: WireSocket) => {
    for await (const line of far.lines) {
      const frame = JSON.parse(line) as Frame;
      if (frame.kind === "text") answerText(frame, far);
      else events.emit("frame", frame);
    }
    events.emit("gone");
  };
  const waitForConnection = async () => {
    while (!socket) await new Promise((resolve) => events.once("dialled", resolve));
    return socket;
  };
  const say = async (frame: Frame) => {
    const far = await waitForConnection();
    await new Promise<void>((resolve, reject) => {
      const onFrame = ({ kind, id }: Frame) => {
        if (kind === "stored" && id !== frame.id) return;
        over();
        if (kind === "stored") resolve();
        else if (kind === "refused") reject(new Error("the message was not taken"));
      };
      const onGone = () => {
        over();
        reject(new Error("the connection ended"));
      };
      const over = () => void events.off("frame", onFrame).off("gone", onGone);
      events.on("frame", onFrame).on("gone", onGone);
      far.write(JSON.stringify(frame));
    });
  };
  return {
    async dial() {
      const { near, far } = createSocketPair();
      socket = far;
      void serve(far).then(() => {
        if (socket === far) socket = undefined;
      });
      events.emit("dialled");
      return near;
    },
    person: () => ({
      conversation: "ann",
      say: (id, text) => say({ kind: "message", id, chat: "ann", text }),
      async heard() {
        while (received.length === 0) await new Promise((resolve) => events.once("heard", resolve));
        return received.shift() ?? "";
      },
      shown: () => shown.map(({ text }) => text),
      other: async () => (await waitForConnection()).write(JSON.stringify({ kind: "joined" })),
      garble: async () => (await waitForConnection()).write('{"kind":"mess'),
      sayInGroup: (id, text, isMention) => say({ kind: "message", id, chat: "#room", text, isMention }),
      sayReply: (id, text, replyTo) => say({ kind: "message", id, chat: "ann", text, replyTo }),
      repliedTo: () => repliedTo,
      fail: (fault) => void faults.push(fault),
      hang() {
        isHanging = true;
      },
      async drop() {
        const before = await waitForConnection();
        before.end();
        while (!socket || socket === before) await new Promise((resolve) => events.once("dialled", resolve));
      },
      async [Symbol.asyncDispose]() {},
    }),
  };
}

/** Creates both ends of a connection: data written to one arrives at the other shortly after. */
function createSocketPair(): { readonly near: WireSocket; readonly far: WireSocket } {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const end = () => {
    for (const one of ends) one.emit("close");
  };
  const socketOf = (own: EventEmitter, other: EventEmitter): WireSocket => {
    const lines = on(own, "line", { close: ["close"] });
    return {
      lines: (async function* () {
        for await (const [line] of lines) yield line as string;
      })(),
      write: (line) => void setImmediate(() => other.emit("line", line)),
      end: () => void setImmediate(end),
    };
  };
  return { near: socketOf(ends[0], ends[1]), far: socketOf(ends[1], ends[0]) };
}

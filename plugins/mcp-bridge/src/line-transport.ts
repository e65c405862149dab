import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { mcpFailure } from "./said-failures.ts";
import { ServerFault } from "./server-fault.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export interface LineTransportParts {
  readonly input: Readable;
  readonly output: Writable;
  /** A line that is no message; the connection stays. */
  readonly onNoise: (line: string) => void;
  /** Lines that may come in one second; default: any number. */
  readonly mostPerSecond?: number;
  /** The other side has ended its output, sent a line over 4 MiB or too many of them: nothing more is read. */
  readonly onEnd: (error: ServerFault | undefined) => void;
}

/** One JSON message a line, both ways. */
export interface LineTransport extends Transport {
  /** As agreed upon; undefined before that. */
  readonly protocolVersion: string | undefined;
  /** A message that answers no request of the protocol's own. */
  write(message: object): void;
}

export function createLineTransport(parts: LineTransportParts): LineTransport {
  const { input, output, onNoise, onEnd, mostPerSecond = Number.POSITIVE_INFINITY } = parts;
  let pieces: Buffer[] = [];
  let second = 0;
  let linesOfSecond = 0;
  let size = 0;
  let isClosed = false;
  let version: string | undefined;

  const take = (line: Buffer) => {
    const text = line.toString("utf8").trim();
    if (text === "") return;
    const message = messageOf(text);
    if (message) transport.onmessage?.(message);
    else onNoise(text);
  };
  const keep = (part: Buffer): boolean => {
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) return false;
    pieces.push(part);
    return true;
  };
  const onData = (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1 && !isClosed; end = rest.indexOf(NEWLINE)) {
      if (!keep(rest.subarray(0, end))) return giveUp("message_long");
      const line = Buffer.concat(pieces);
      pieces = [];
      size = 0;
      if (isTooMany()) return giveUp("messages_often");
      take(line);
      rest = rest.subarray(end + 1);
    }
    if (!isClosed && rest.length > 0 && !keep(rest)) giveUp("message_long");
  };
  const isTooMany = (): boolean => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) linesOfSecond = 0;
    second = now;
    linesOfSecond += 1;
    return linesOfSecond > mostPerSecond;
  };
  const giveUp = (why: "message_long" | "messages_often") => {
    detach();
    input.pause();
    onEnd(new ServerFault(mcpFailure("upstream_failed", why)));
  };
  const onInputEnd = () => {
    detach();
    onEnd(undefined);
  };
  const onFailure = (error: Error) => transport.onerror?.(error);
  const detach = () => {
    pieces = [];
    input.off("data", onData);
    input.off("end", onInputEnd);
    input.off("error", onFailure);
    output.off("error", onFailure);
  };

  const transport: LineTransport = {
    get protocolVersion() {
      return version;
    },
    setProtocolVersion(agreed) {
      version = agreed;
    },
    async start() {
      input.on("data", onData);
      input.once("end", onInputEnd);
      input.on("error", onFailure);
      output.on("error", onFailure);
      // Whoever had the streams before may have stopped them.
      input.resume();
    },
    async send(message: JSONRPCMessage) {
      if (isClosed) throw new Error("the connection is closed");
      await written(output, message);
    },
    write: (message) => void output.write(`${JSON.stringify(message)}\n`),
    async close() {
      if (isClosed) return;
      isClosed = true;
      detach();
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

function messageOf(text: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Waits while the reader is slow; a reader that has gone fails the write. */
function written(output: Writable, message: JSONRPCMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { ServerConnectionError } from "./server-connection-error.ts";
import { mcpBridgeTexts } from "./texts.ts";

const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
/** A broken connection emits `close` without `end`. */
const INPUT_ENDS = ["end", "close"] as const;

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Called for a line that is not a message; the connection stays open. */
  readonly onInvalidLine: (line: string) => void;
  /** Maximum count of lines per second; default: unlimited. */
  readonly maxLinesPerSecond?: number;
  /** Called when reading stops: at the end of the input, or after a line over 4 MiB or too many lines. */
  readonly onEnd: (error: ServerConnectionError | undefined) => void;
}

/** Transports one JSON message per line, in both directions. */
export interface LineTransport extends Transport {
  /** Negotiated protocol version; undefined before the handshake. */
  readonly protocolVersion: string | undefined;
  /** Sends a message that is not part of the protocol's requests and answers. */
  write(message: object): void;
}

export function createLineTransport(options: LineTransportOptions): LineTransport {
  const { input, output, onInvalidLine, onEnd, maxLinesPerSecond = Number.POSITIVE_INFINITY } = options;
  let pieces: Buffer[] = [];
  let currentSecond = 0;
  let lineCount = 0;
  let size = 0;
  let isClosed = false;
  let version: string | undefined;

  const receiveLine = (line: Buffer) => {
    const text = line.toString("utf8").trim();
    if (text === "") return;
    const message = parseMessage(text);
    if (message) transport.onmessage?.(message);
    else onInvalidLine(text);
  };
  const appendPiece = (part: Buffer): boolean => {
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) return false;
    pieces.push(part);
    return true;
  };
  const onData = (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1 && !isClosed; end = rest.indexOf(NEWLINE)) {
      if (!appendPiece(rest.subarray(0, end))) return closeWithError("message_long");
      const line = Buffer.concat(pieces);
      pieces = [];
      size = 0;
      if (isRateExceeded()) return closeWithError("messages_often");
      receiveLine(line);
      rest = rest.subarray(end + 1);
    }
    if (!isClosed && rest.length > 0 && !appendPiece(rest)) closeWithError("message_long");
  };
  const isRateExceeded = (): boolean => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== currentSecond) lineCount = 0;
    currentSecond = now;
    lineCount += 1;
    return lineCount > maxLinesPerSecond;
  };
  const closeWithError = (why: "message_long" | "messages_often") => {
    detach();
    input.pause();
    onEnd(new ServerConnectionError(mcpBridgeTexts.error("upstream_failed", why)));
  };
  const onInputEnd = () => {
    detach();
    onEnd(undefined);
  };
  const onFailure = (error: Error) => transport.onerror?.(error);
  const detach = () => {
    pieces = [];
    input.off("data", onData);
    for (const event of INPUT_ENDS) input.off(event, onInputEnd);
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
      for (const event of INPUT_ENDS) input.once(event, onInputEnd);
      input.on("error", onFailure);
      output.on("error", onFailure);
      // An earlier user of the stream may have paused it.
      input.resume();
    },
    async send(message: JSONRPCMessage) {
      if (isClosed) throw new Error("the connection is closed");
      await writeMessage(output, message);
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

function parseMessage(text: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Writes a message, waiting for a slow reader; fails when the reader has gone. */
function writeMessage(output: Writable, message: JSONRPCMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

import { fstatSync } from "node:fs";
import { Writable } from "node:stream";
import type { ProtocolStreams } from "@parley/core";

/**
 * Gives stdin and stdout to a protocol; what anything else prints goes to stderr from now on.
 * Undefined when stdin is no pipe (a terminal, /dev/null) and the service has other entrances.
 */
export function takeStandardIo(isOnly: boolean): ProtocolStreams | undefined {
  if (!isOnly && !isPiped()) return undefined;
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // The client has closed its end: nobody is left to tell.
  process.stdout.on("error", () => process.exit(0));
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error ?? undefined)),
  });
  output.on("error", () => {}); // told to who writes, and the same as of stdout itself
  return { input: process.stdin, output };
}

function isPiped(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket();
}

import type { HostOptions } from "@parley/host";
import { connectToService, readConfiguration } from "@parley/host/tooling";

/** Connects standard input and output to a running service until either ends; returns false where none runs. */
export async function joinService(options: HostOptions): Promise<boolean> {
  const { root = process.cwd(), flags = {}, env = process.env } = options;
  const { data } = readConfiguration({ root, flags, env });
  const streams = await connectToService(data);
  if (!streams) return false;
  const { input, output } = streams;
  let isOver = false;
  process.stdin.once("end", () => {
    isOver = true;
  });
  process.stdout.on("error", () => process.exit(0));
  for (const stream of new Set([input, output])) stream.on("error", () => {});
  // When the service is killed, only its output ends, so the input is ended too.
  input.once("end", () => output.end());
  input.once("close", () => {
    if (!isOver) process.stderr.write("the service has stopped\n");
    process.exit(isOver ? 0 : 1);
  });
  process.stdin.pipe(output);
  input.pipe(process.stdout);
  process.stderr.write(`ready mcp, at the service that runs on ${data}\n`);
  return true;
}

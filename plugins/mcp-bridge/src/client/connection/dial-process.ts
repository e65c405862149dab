import { join } from "node:path";
import { AppError, joinLocalized, type Localized } from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { createLineTransport } from "../../line-transport.ts";
import type { ServerConnectionError } from "../../server-connection-error.ts";
import type { Entry } from "../servers/entry.ts";
import { startChild } from "./child-process.ts";
import { toProcessArgs } from "./command-rules.ts";
import type { DialDeps, DialedTransport } from "./dial.ts";

const MESSAGES_PER_SECOND = 2_000;
/** Milliseconds to wait for a process to exit after its output ended. */
const EXIT_WAIT_MS = 500;
const INHERITED_VARIABLES = ["PATH", "HOME", "LANG", "TZ"];

type ProcessDeps = Pick<DialDeps, "environment" | "folder" | "log" | "secrets" | "stdio">;

/** Starts the server and connects to its standard input and output. */
export async function dialProcess(entry: Entry, deps: ProcessDeps): Promise<DialedTransport> {
  const { environment, folder, log, secrets, stdio } = deps;
  const inherited = [...INHERITED_VARIABLES, ...stdio.passEnv].map((name) => [name, environment.get(name)] as const);
  const named = entry.env_names.map((name) => [name, secrets.getValue(entry, name)] as const);
  // The entry's variables win; it cannot set PATH and HOME, which `checkStart` rejects.
  const pairs = [...inherited, ...Object.entries(entry.env), ...named];
  const child = await startChild({
    command: entry.command,
    args: toProcessArgs(entry, stdio.rules),
    env: Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)),
    folder: join(folder, entry.id),
  });
  const { stdin, stdout } = child.process;
  if (!stdin || !stdout) throw new AppError("internal", "a process without pipes");
  let connectionError: ServerConnectionError | undefined;
  const transport = createLineTransport({
    input: stdout,
    output: stdin,
    maxLinesPerSecond: MESSAGES_PER_SECOND,
    onInvalidLine: (line) =>
      log.debug("a server wrote a line that is not a message", { server: entry.id, line: line.slice(0, 200) }),
    onEnd(error) {
      connectionError = error;
      resolveWithin(child.exited, EXIT_WAIT_MS)
        .then(() => transport.close())
        .catch((thrown: unknown) => log.debug("the connection to a process could not be closed", { error: thrown }));
    },
  });
  return {
    transport,
    cause: () => joinReasons(connectionError?.localized, child.exitReason()),
    async close(client) {
      await client.close();
      await child.stop(connectionError !== undefined);
    },
  };
}

function joinReasons(one: Localized | undefined, other: Localized | undefined): Localized | undefined {
  return one && other ? joinLocalized([one, other], "sentences") : (one ?? other);
}

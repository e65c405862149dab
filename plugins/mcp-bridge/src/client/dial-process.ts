import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AppError, type Localized } from "@parley/core";
import { createLineTransport } from "../line-transport.ts";
import type { ServerFault } from "../server-fault.ts";
import { startChild } from "./child-process.ts";
import { argumentsOf } from "./command-rules.ts";
import type { DialParts, Line } from "./dial.ts";
import type { Entry } from "./entry.ts";

const MESSAGES_PER_SECOND = 2_000;
/** Between the end of a process's output and its own. */
const LAST_WORDS_MS = 500;
const PASSED_ON = ["PATH", "HOME", "LANG", "TZ"];

/** Starts the server and speaks with it over its standard input and output. */
export async function startProcess(entry: Entry, parts: DialParts): Promise<Line> {
  const { environment, folder, log, secrets, stdio } = parts;
  const inherited = [...PASSED_ON, ...stdio.passEnv].map((name) => [name, environment.get(name)] as const);
  const named = entry.env_names.map((name) => [name, secrets.valueOf(entry, name)] as const);
  const env = Object.fromEntries([...inherited, ...named].filter((pair) => pair[1] !== undefined)) as Record<
    string,
    string
  >;
  const child = await startChild({
    command: entry.command,
    args: argumentsOf(entry, stdio.rules),
    env: { ...entry.env, ...env },
    folder: join(folder, entry.id),
  });
  const { stdin, stdout } = child.process;
  if (!stdin || !stdout) throw new AppError("internal", "a process without pipes");
  let fault: ServerFault | undefined;
  const transport = createLineTransport({
    input: stdout,
    output: stdin,
    mostPerSecond: MESSAGES_PER_SECOND,
    onNoise: (line) => log.debug("a server wrote what is no message", { server: entry.id, line: line.slice(0, 200) }),
    onEnd(error) {
      fault = error;
      Promise.race([child.gone, wait(LAST_WORDS_MS)])
        .then(() => transport.close())
        .catch((thrown: unknown) => log.debug("a line could not be closed", { error: thrown }));
    },
  });
  return {
    transport,
    cause: () => joined(fault?.said, child.epitaph()),
    async close(client) {
      await client.close();
      await child.stop(fault !== undefined);
    },
  };
}

function joined(one: Localized | undefined, other: Localized | undefined): Localized | undefined {
  return one && other ? { en: `${one.en}; ${other.en}`, zh: `${one.zh}；${other.zh}` } : (one ?? other);
}

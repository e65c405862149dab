import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "@parley/core";

/** Location of a plugin's code. */
export interface PluginLocation {
  readonly id: string;
  /** Folder of the plugin, or its single file. */
  readonly path: string;
  readonly isThirdParty: boolean;
}

export interface UncaughtErrorsDeps {
  readonly log: Logger;
  /** Called at each error. */
  readonly locations: () => readonly PluginLocation[];
  /** Called when the process must end, because interrupted work is in an unknown state. */
  readonly onCrash: () => void;
}

/**
 * Handles uncaught errors of the process. A rejected promise is only logged. An uncaught exception stops the service gracefully, unless
 * only code of one third-party plugin was running; otherwise anyone who can reach that plugin could stop the service for everyone. A
 * plugin that exits the process is named.
 */
export function watchUncaughtErrors({ log, locations, onCrash }: UncaughtErrorsDeps): Disposable {
  const onRejection = (error: unknown) => {
    const { plugin } = findErrorSource(error, locations());
    log.error("a promise was rejected and not handled", { ...(plugin && { plugin }), error });
  };
  const onException = (error: unknown) => {
    const known = locations();
    const { plugin, isAlone } = findErrorSource(error, known);
    const fields = { ...(plugin === undefined ? listSuspects(known) : { plugin }), error };
    if (isAlone) log.error("an exception was not caught; the service continues", fields);
    else log.error("an exception was not caught; the service stops", fields);
    if (!isAlone) onCrash();
  };
  const onExit = (code: number) => {
    const { plugin } = findErrorSource(new Error("ended"), locations());
    if (plugin !== undefined) log.error("a plugin ended the service: its code called process.exit", { plugin, code });
  };
  process.on("exit", onExit);
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return {
    [Symbol.dispose]() {
      process.off("exit", onExit);
      process.off("unhandledRejection", onRejection);
      process.off("uncaughtException", onException);
    },
  };
}

/** Lists the third-party plugins as suspects when no plugin file is on the stack, such as for a socket error without a listener. */
function listSuspects(places: readonly PluginLocation[]): { readonly suspects?: readonly string[] } {
  const suspects = places.flatMap(({ id, isThirdParty }) => (isThirdParty ? [id] : []));
  return suspects.length === 0 ? {} : { suspects };
}

interface ErrorSource {
  readonly plugin: string | undefined;
  /** True when only files of one third-party plugin ran, called by Node: for a timer, a promise or an event. */
  readonly isAlone: boolean;
}

/** Finds the plugin an error comes from by the files on its stack: third-party before first-party, innermost first. */
export function findErrorSource(error: unknown, places: readonly PluginLocation[]): ErrorSource {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = stack.split("\n").flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? []);
  const owners = frames.map((frame) => findOwner(frame, places));
  const known = owners.filter((owner) => typeof owner === "object");
  const plugin = (known.find(({ isThirdParty }) => isThirdParty) ?? known[0])?.id;
  const isCut = frames.length >= Error.stackTraceLimit;
  const isAlone =
    !isCut && known.length > 0 && owners.every((one) => one === "node" || (one?.isThirdParty && one.id === plugin));
  return { plugin, isAlone };
}

/** Returns the plugin of a frame; `node` for Node's own frames. */
function findOwner(frame: string, places: readonly PluginLocation[]): PluginLocation | "node" | undefined {
  if (/(^|\()node:[\w/]+:\d+:\d+\)?$|<anonymous>/.test(frame)) return "node";
  const url = /(file:\/\/.+?|\/.+?):\d+:\d+\)?$/.exec(frame)?.[1];
  if (url === undefined) return undefined;
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  const owners = places.filter(({ path }) => file === path || file.startsWith(path + sep));
  return owners.toSorted((a, b) => b.path.length - a.path.length)[0];
}

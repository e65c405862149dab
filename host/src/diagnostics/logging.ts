import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { LogFeed, Logger, LogRow, LogThreshold, Redaction } from "@parley/core";
import pino from "pino";
import pretty from "pino-pretty";
import { makeFolder } from "../process/file-system.ts";

const LEVELS: Readonly<Record<LogThreshold, number>> = { debug: 20, info: 30, warn: 40, error: 50 };
/** Source name of log lines that come from no plugin. */
const HOST_SOURCE = "host";

export interface LogOptions {
  readonly level: LogThreshold;
  readonly format: "pretty" | "json";
  /** Folder of the daily log files; undefined when none are written. */
  readonly folder: string | undefined;
  readonly redaction: Redaction;
}

export interface Logging extends Disposable {
  readonly log: Logger;
  readonly feed: LogFeed;
}

/** Creates the service's log: masked lines on stderr, one file per day, and a stream of rows. */
export function createLogging({ level, format, folder, redaction }: LogOptions): Logging {
  const listeners = new Set<(row: LogRow) => void>();
  const file = folder === undefined ? undefined : createDailyFile(folder);
  const terminal =
    format === "json"
      ? pino.destination({ dest: 2, sync: true })
      : pretty({ destination: 2, sync: true, ignore: "pid,hostname" });
  // Lets everything pass, because levels are applied below, for each plugin.
  const lowestLevel = "debug";
  const streams = [
    { level: lowestLevel, stream: terminal },
    ...(file ? [{ level: lowestLevel, stream: file }] : []),
  ] as const;
  const out = pino(
    { level: lowestLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.multistream([...streams]),
  );
  let levels: ReadonlyMap<string, LogThreshold> = new Map();

  const write = (bound: BoundFields, at: LogThreshold, message: string, fields: object | undefined) => {
    if (LEVELS[at] < LEVELS[levels.get(bound.plugin ?? HOST_SOURCE) ?? level]) return;
    const context = redaction.mask({ ...bound, ...fields }) as Record<string, unknown>;
    const text = redaction.mask(message);
    out[at](context, text);
    if (listeners.size === 0) return;
    const row = toLogRow(at, text, context);
    for (const listener of listeners) listener(row);
  };
  const createLogger = (bound: BoundFields): Logger => ({
    debug: (message, fields) => write(bound, "debug", message, fields),
    info: (message, fields) => write(bound, "info", message, fields),
    warn: (message, fields) => write(bound, "warn", message, fields),
    error: (message, fields) => write(bound, "error", message, fields),
    child: (fields) => createLogger({ ...bound, ...fields }),
  });
  return {
    log: createLogger({}),
    feed: {
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      toFile: (row) => file?.write(toLogLine(redaction.mask(row))),
      setLevels(given) {
        levels = new Map(Object.entries(given));
      },
    },
    [Symbol.dispose]: () => file?.end(),
  };
}

/** Fields that a logger adds to each of its lines. */
interface BoundFields {
  readonly plugin?: string;
}

function toLogRow(
  level: LogThreshold,
  message: string,
  { plugin, traceId, ...context }: Record<string, unknown>,
): LogRow {
  return {
    time: new Date().toISOString(),
    level: level === "warn" ? "warning" : level,
    source: typeof plugin === "string" ? plugin : HOST_SOURCE,
    message,
    ...(typeof traceId === "string" && { traceId }),
    context,
  };
}

/** Formats a row like the service's own lines; the context cannot override fields of every line. */
function toLogLine({ time, level, source, message, traceId, context }: LogRow): string {
  const of = LEVELS[level === "warning" ? "warn" : level];
  return `${JSON.stringify({ ...context, level: of, time, source, ...(traceId && { traceId }), msg: message })}\n`;
}

/** Creates the log folder; returns false on failure, which the start reports as a problem of the data folder. */
function tryMakeFolder(folder: string): boolean {
  try {
    makeFolder(folder);
    return true;
  } catch {
    return false;
  }
}

/** Appends lines to `parley-<day>.log`, a new file each day. */
function createDailyFile(folder: string): { write(line: string): void; end(): void } {
  let day = "";
  let file: WriteStream | undefined;
  return {
    write(line) {
      const today = new Date().toISOString().slice(0, 10);
      if (today !== day) {
        file?.end();
        day = today;
        if (!tryMakeFolder(folder)) return;
        file = createWriteStream(join(folder, `parley-${today}.log`), { flags: "a", mode: 0o600 });
        // A log that cannot be written must not end the service; stderr still has every line.
        file.on("error", () => {});
      }
      file?.write(line);
    },
    end: () => void file?.end(),
  };
}

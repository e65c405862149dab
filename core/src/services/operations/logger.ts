import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Structured, masked, one line per call. `fields` may carry `error` (its stack is written) and `traceId`. */
export interface Logger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  child(fields: object): Logger;
}

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

/** How much is written, from everything to the least; as config.ini names it. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
/** One of them: what is less than it is not written. */
export type LogThreshold = (typeof LOG_LEVELS)[number];

/** A line of the log. */
export interface LogRow {
  readonly time: string;
  readonly level: "debug" | "info" | "warning" | "error";
  /** The plugin that wrote it, or `host`. */
  readonly source: string;
  readonly message: string;
  readonly traceId?: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Every line the process logs, masked, as it is written. Provided by the host. */
export interface LogFeed {
  /** Returns the unsubscribe. What `listener` throws is not reported anywhere: it must not throw. */
  subscribe(listener: (row: LogRow) => void): () => void;
  /** Puts a row into the day's file, where there is one; those who listen are not told. */
  toFile(row: LogRow): void;
  /**
   * From now on the lines of these plugins (and of `host`), by id, are written from a level of their own on; those of all
   * others from that of config.ini on.
   */
  setLevels(levels: Readonly<Record<string, LogThreshold>>): void;
}

export const LogFeed: ServiceKey<LogFeed> = serviceKey("log-feed");

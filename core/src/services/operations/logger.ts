import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Writes structured, masked log lines, one per call. `fields` may contain `error` (its stack is written) and `traceId`. */
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

/** Log levels from most to least output, named as in config.ini. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
/** Minimum level that is written. */
export type LogThreshold = (typeof LOG_LEVELS)[number];

/** A log line. */
export interface LogRow {
  readonly time: string;
  readonly level: "debug" | "info" | "warning" | "error";
  /** The plugin that wrote it, or `host`. */
  readonly source: string;
  readonly message: string;
  readonly traceId?: string;
  readonly context: Readonly<Record<string, unknown>>;
}

/** Feed of all log lines of the process, masked. Provided by the host. */
export interface LogFeed {
  /** Subscribes to log rows; returns the unsubscribe function. `listener` must not throw, since its errors are not reported. */
  subscribe(listener: (row: LogRow) => void): () => void;
  /** Writes a row to the day's log file, if any; listeners do not receive it. */
  toFile(row: LogRow): void;
  /** Sets log levels by plugin id (and `host`); all others use the level of config.ini. */
  setLevels(levels: Readonly<Record<string, LogThreshold>>): void;
}

export const LogFeed: ServiceKey<LogFeed> = serviceKey("log-feed");

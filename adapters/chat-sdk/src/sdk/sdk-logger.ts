import type { Logger } from "@parley/core";

/** A logger as adapters of the Chat SDK call it. */
export interface SdkLogger {
  child(prefix: string): SdkLogger;
  debug(message: string, ...details: readonly unknown[]): void;
  info(message: string, ...details: readonly unknown[]): void;
  warn(message: string, ...details: readonly unknown[]): void;
  error(message: string, ...details: readonly unknown[]): void;
}

/**
 * Creates the logger of an adapter package. Its lines are third-party text that may carry people's messages, so only warnings and errors
 * are written, with the message of an error and nothing else.
 */
export function createSdkLogger(log: Logger, onProblem: (words: string) => void): SdkLogger {
  const report = (message: string, details: readonly unknown[]) => {
    const reason = details.map(readReason).find((one) => one !== undefined);
    const words = reason === undefined ? message : `${message}: ${reason}`;
    onProblem(words);
    log.warn("the adapter package reported a problem", { words });
  };
  const logger: SdkLogger = {
    child: () => logger,
    debug() {},
    info() {},
    warn: (message, ...details) => report(message, details),
    error: (message, ...details) => report(message, details),
  };
  return logger;
}

function readReason(detail: unknown): string | undefined {
  if (detail instanceof Error) return detail.message;
  if (typeof detail !== "object" || detail === null || !("error" in detail)) return undefined;
  return detail.error instanceof Error ? detail.error.message : String(detail.error);
}

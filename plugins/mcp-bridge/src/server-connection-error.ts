import { type AppError, type Localized, toLocalized } from "@parley/core";

/** Error of a connection to a server, in contrast to a protocol answer or a rejection. */
export class ServerConnectionError extends Error {
  readonly said: Localized;

  constructor(failure: AppError) {
    super(failure.message);
    this.said = toLocalized(failure);
  }
}

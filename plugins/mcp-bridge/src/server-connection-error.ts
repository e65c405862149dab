import { type AppError, type Localized, toLocalized } from "@parley/core";

/** Error of a connection to a server, in contrast to a protocol answer or a rejection. */
export class ServerConnectionError extends Error {
  readonly localized: Localized;

  constructor(failure: AppError) {
    super(failure.message);
    this.localized = toLocalized(failure);
  }
}

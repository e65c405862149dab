import { type AppError, type Localized, saidOf } from "@parley/core";

/** What the other side of a connection has done, or what became of it: no answer of the protocol, and no refusal. */
export class ServerConnectionError extends Error {
  readonly said: Localized;

  constructor(failure: AppError) {
    super(failure.message);
    this.said = saidOf(failure);
  }
}

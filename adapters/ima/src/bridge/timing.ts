/** Waits of a connection, and minimum intervals between sent messages, in milliseconds. */
export interface ImaTiming {
  readonly callMs: number;
  readonly handshakeMs: number;
  readonly identifyMs: number;
  /** First and maximum delay between two attempts to connect. */
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly pingMs: number;
  /** Silence after which the bridge is probed: this, or three of its heartbeats if longer. */
  readonly silenceMs: number;
  readonly probeMs: number;
  readonly conversationIntervalMs: number;
  readonly accountIntervalMs: number;
}

export const IMA_TIMING: ImaTiming = {
  callMs: 10_000,
  handshakeMs: 10_000,
  identifyMs: 10_000,
  firstBackoffMs: 1_000,
  maxBackoffMs: 60_000,
  pingMs: 25_000,
  silenceMs: 60_000,
  probeMs: 5_000,
  conversationIntervalMs: 1_000,
  accountIntervalMs: 500,
};

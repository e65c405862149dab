/** Reason with which waiting sends are aborted when sending is paused or stopped. */
export const SENDING_STOPPED = new DOMException("nothing is sent now", "AbortError");

/** Permission to send: suspended while the worker is stopped manually, withdrawn when the service stops. */
export interface SendingPermit {
  isPaused(): boolean;
  /** Aborts when the service stops. */
  readonly stopSignal: AbortSignal;
  /** Returns the signal that aborts when the worker is stopped manually. After a resume a new signal is returned. */
  getPauseSignal(): AbortSignal;
  pause(): void;
  resume(): void;
  stop(): void;
}

export function createSendingPermit(): SendingPermit {
  const stopping = new AbortController();
  let working = new AbortController();
  return {
    isPaused: () => stopping.signal.aborted || working.signal.aborted,
    stopSignal: stopping.signal,
    getPauseSignal: () => working.signal,
    pause: () => working.abort(SENDING_STOPPED),
    resume() {
      working = new AbortController();
    },
    stop: () => stopping.abort(SENDING_STOPPED),
  };
}

/** The reason of what is given up because nothing is sent now. */
export const SENDING_STOPPED = new DOMException("nothing is sent now", "AbortError");

/** Whether anything may be sent: not while the worker is stopped by hand, and never again once the service stops. */
export interface SendingPermit {
  isPaused(): boolean;
  /** Aborts when the service stops. */
  readonly stopSignal: AbortSignal;
  /** Aborts when the worker is stopped by hand; another one while it runs again. */
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

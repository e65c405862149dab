/** The reason of what is given up because nothing is sent now. */
export const OVER = new DOMException("nothing is sent now", "AbortError");

/** Whether anything may be sent: not while the worker is stopped by hand, and never again once the service stops. */
export interface SendingPermit {
  isHeld(): boolean;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Aborts when the worker is stopped by hand; another one while it runs again. */
  working(): AbortSignal;
  pause(): void;
  resume(): void;
  stop(): void;
}

export function createSendingPermit(): SendingPermit {
  const stopping = new AbortController();
  let working = new AbortController();
  return {
    isHeld: () => stopping.signal.aborted || working.signal.aborted,
    stopping: stopping.signal,
    working: () => working.signal,
    pause: () => working.abort(OVER),
    resume() {
      working = new AbortController();
    },
    stop: () => stopping.abort(OVER),
  };
}

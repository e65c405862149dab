/** Sends heartbeats, and detects a dead connection. */
export interface Heartbeat {
  /** Begins, or changes the interval. */
  beatEvery(ms: number): void;
  /** Notes that the platform has answered the last one. */
  answered(): void;
  stop(): void;
}

/** Creates the heartbeat of a connection; `onDead` is called when one was not answered by the time of the next. */
export function createHeartbeat(sendBeat: () => void, onDead: () => void): Heartbeat {
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = true;
  return {
    beatEvery(ms) {
      clearInterval(timer);
      timer = setInterval(() => {
        if (!isAnswered) return onDead();
        isAnswered = false;
        sendBeat();
      }, ms);
    },
    answered() {
      isAnswered = true;
    },
    stop: () => clearInterval(timer),
  };
}

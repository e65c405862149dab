import type { Busy } from "@parley/core";

const ASK_EVERY_MS = 10;
const MAX_WAIT_MS = 100;
/** Requests beyond this number are not kept waiting, so that an overload does not fill the memory. */
const MAX_WAITING = 200;

interface WaitingRequest {
  readonly channelId: string;
  readonly untilMs: number;
  readonly end: (busy: Busy | undefined) => void;
}

/** Keeps webhook requests waiting for a moment, because platforms wait seconds before they repeat a rejected one. */
export interface BriefWaits {
  /** Resolves as soon as the channel accepts messages, or with the reason it does not after a tenth of a second. */
  wait(channelId: string, busy: Busy): Promise<Busy | undefined>;
}

export interface BriefWaitsDeps {
  readonly busy: (channelId: string) => Busy | undefined;
  readonly nowMs: () => number;
}

export function createBriefWaits({ busy, nowMs }: BriefWaitsDeps): BriefWaits {
  let waiting: WaitingRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  const askAll = () => {
    waiting = waiting.filter(({ channelId, untilMs, end }) => {
      const found = busy(channelId);
      const isOver = found === undefined || nowMs() >= untilMs;
      if (isOver) end(found);
      return !isOver;
    });
    if (waiting.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    async wait(channelId, found) {
      if (waiting.length >= MAX_WAITING) return found;
      const { promise, resolve } = Promise.withResolvers<Busy | undefined>();
      waiting.push({ channelId, untilMs: nowMs() + MAX_WAIT_MS, end: resolve });
      timer ??= setInterval(askAll, ASK_EVERY_MS);
      return promise;
    },
  };
}

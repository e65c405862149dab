import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { resolveWithin } from "@parley/core/async";

/** Requests that are being answered. */
export interface RunningRequests {
  run(response: ServerResponse, begin: () => void): void;
  /** Resolves when all requests are answered, except the calling one and those that run longer than `withinMs`. */
  whenFinished(withinMs: number): Promise<void>;
}

export function createRunningRequests(): RunningRequests {
  const currentResponse = new AsyncLocalStorage<ServerResponse>();
  const running = new Map<ServerResponse, number>();
  return {
    run(response, begin) {
      running.set(response, performance.now());
      response.once("close", () => running.delete(response));
      currentResponse.run(response, begin);
    },
    async whenFinished(withinMs) {
      const caller = currentResponse.getStore();
      const youngest = performance.now() - withinMs;
      const others = [...running].filter(([response, since]) => response !== caller && since > youngest);
      await resolveWithin(Promise.all(others.map(([response]) => waitUntilClosed(response))), withinMs);
    },
  };
}

function waitUntilClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { rejectUpgrade } from "@parley/core/http";
import { createRequestQueue, WAIT_TIMEOUT_MS } from "./request-queue.ts";
import { createRunningRequests } from "./running-requests.ts";
import type { createUpgradeRouter } from "./upgrade-router.ts";

/** The request and upgrade handlers of one generation of plugins. */
export interface GenerationHandlers {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly letIn: ReturnType<typeof createUpgradeRouter>;
}

/** Passes requests to the active generation; between two generations they wait for the next one. */
export interface RequestDispatcher {
  request(request: IncomingMessage, response: ServerResponse, reject: () => void): void;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  begin(served: GenerationHandlers): void;
  /** Ends a generation. With `follows`, new requests wait and running ones are awaited. */
  end(served: GenerationHandlers, next: "follows" | "none"): Promise<void>;
}

export function createRequestDispatcher(waitTimeoutMs = WAIT_TIMEOUT_MS): RequestDispatcher {
  let current: GenerationHandlers | undefined;
  let isNextComing = false;
  const queue = createRequestQueue({ withinMs: waitTimeoutMs });
  const running = createRunningRequests();
  const dispatch = (socket: Duplex, go: (served: GenerationHandlers) => void, reject: () => void) => {
    if (current) go(current);
    else if (isNextComing) queue.wait(socket, () => (current ? go(current) : reject()), reject);
    else reject();
  };
  return {
    request(request, response, reject) {
      dispatch(request.socket, ({ serve }) => running.run(response, () => serve(request, response)), reject);
    },
    upgrade(request, stream, head) {
      const reject = () => rejectUpgrade(stream, "503 Service Unavailable", { headers: { "Retry-After": "1" } });
      dispatch(stream, ({ letIn }) => letIn(request, stream, head), reject);
    },
    begin(served) {
      current = served;
      isNextComing = false;
      queue.open();
    },
    async end(served, next) {
      if (current !== served) return;
      current = undefined;
      isNextComing = next === "follows";
      if (isNextComing) await running.whenFinished(waitTimeoutMs / 2);
      else queue.close();
    },
  };
}

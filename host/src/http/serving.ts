import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { refuseUpgrade } from "@parley/core";
import { createRunningRequests } from "./running-requests.ts";
import type { createUpgradeRouter } from "./socket-doors.ts";
import { createWaitingRoom, WAIT_WITHIN_MS } from "./waiting-room.ts";

/** The request and upgrade handlers of one generation of plugins. */
export interface Served {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly letIn: ReturnType<typeof createUpgradeRouter>;
}

/** Hands requests to the generation that serves; those between two generations wait for the next one. */
export interface Serving {
  request(request: IncomingMessage, response: ServerResponse, refuse: () => void): void;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  begin(served: Served): void;
  /** `follows`: what comes waits, and what runs is waited for. */
  end(served: Served, next: "follows" | "none"): Promise<void>;
}

export function createServing(withinMs = WAIT_WITHIN_MS): Serving {
  let current: Served | undefined;
  let isNextComing = false;
  const room = createWaitingRoom({ withinMs });
  const running = createRunningRequests();
  const enter = (socket: Duplex, go: (served: Served) => void, refuse: () => void) => {
    if (current) go(current);
    else if (isNextComing) room.wait(socket, () => (current ? go(current) : refuse()), refuse);
    else refuse();
  };
  return {
    request(request, response, refuse) {
      enter(request.socket, ({ serve }) => running.run(response, () => serve(request, response)), refuse);
    },
    upgrade(request, stream, head) {
      const refuse = () => refuseUpgrade(stream, "503 Service Unavailable", { headers: { "Retry-After": "1" } });
      enter(stream, ({ letIn }) => letIn(request, stream, head), refuse);
    },
    begin(served) {
      current = served;
      isNextComing = false;
      room.open();
    },
    async end(served, next) {
      if (current !== served) return;
      current = undefined;
      isNextComing = next === "follows";
      if (isNextComing) await running.ended(withinMs / 2);
      else room.close();
    },
  };
}

import type { Check, Finding } from "@parley/core";
import type { RunningGateway } from "./gateway.ts";
import type { DeadLetterStore } from "./store/dead-letters.ts";

const PAGE = "/gateway";
const LATE_MS = 60_000;
const STUCK_MS = 10 * 60_000;

export interface GatewayCheckParts {
  readonly gateway: () => Pick<RunningGateway, "counts">;
  readonly letters: Pick<DeadLetterStore, "page">;
}

/** Whether messages are worked on, how long they wait, and what was given up. */
export function gatewayCheck({ gateway, letters }: GatewayCheckParts): Check {
  return {
    id: "gateway",
    async run() {
      const { waiting, oldestAgeMs = 0, worker } = gateway().counts();
      const { total } = await letters.page({}, { limit: 1, offset: 0 });
      return [
        ...(worker === "running" ? [] : [stopped(waiting)]),
        ...(worker === "running" && oldestAgeMs > LATE_MS ? [late(waiting, Math.round(oldestAgeMs / 60_000))] : []),
        ...(total > 0 ? [givenUp(total)] : []),
      ];
    },
  };

  function stopped(count: number): Finding {
    return {
      key: "gateway.stopped",
      level: "problem",
      said: `nobody works on messages of channels; ${count} wait`,
      advice: "start answering on the page Gateway",
      parameters: { count },
      page: PAGE,
    };
  }

  function late(count: number, minutes: number): Finding {
    return {
      key: "gateway.waiting",
      level: minutes * 60_000 > STUCK_MS ? "problem" : "warning",
      said: `${count} messages wait, the oldest for ${minutes} min`,
      advice: "look at what is being answered: a slow model, or more messages than the service can answer",
      parameters: { count, minutes },
      page: PAGE,
    };
  }

  function givenUp(count: number): Finding {
    return {
      key: "gateway.given_up",
      level: "warning",
      said: `${count} messages or answers were given up and wait for a person`,
      advice: "try them again or put them aside on the page Gateway",
      parameters: { count },
      page: PAGE,
    };
  }
}

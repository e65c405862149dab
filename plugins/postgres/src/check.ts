import type { Check, Finding } from "@parley/core";
import { SLOW_MS } from "./connection/round-trips.ts";

const ADVICE = {
  en: "look at the server, at the way to it, and at the variable with its address; a start ends while that is so",
  zh: "请检查数据库服务器、网络以及存放其地址的环境变量；在此之前无法启动",
};

export interface DatabaseCheckDeps {
  /** Throws when the variable with the address is missing or holds no address. */
  readAddress(): unknown;
  /** Returns the server's round trip in milliseconds; throws with the reason why it cannot be used. */
  examine(): Promise<number>;
  /** Round trip of the running service in milliseconds; undefined where unknown. */
  getRoundTripMs(): number | undefined;
}

/** Checks that the database can be used, and its latency. */
export function createDatabaseCheck({ readAddress, examine, getRoundTripMs }: DatabaseCheckDeps): Check {
  return {
    id: "storage",
    beforeStart: () => void readAddress(),
    // While the service runs, the probe reports failing writes.
    run: async () => toSlowFinding(getRoundTripMs()),
    async elsewhere() {
      const found = await examine().catch((error: Error) => error.message);
      if (typeof found === "number") return toSlowFinding(found);
      const reason = found;
      const message = { en: reason, zh: `无法使用数据库：${reason}` };
      return [{ key: "storage.failing", level: "problem", said: message, advice: ADVICE, parameters: { reason } }];
    },
  };
}

function toSlowFinding(roundTripMs: number | undefined): readonly Finding[] {
  if (roundTripMs === undefined || roundTripMs <= SLOW_MS) return [];
  const ms = Math.round(roundTripMs);
  return [
    {
      key: "storage.far",
      level: "warning",
      said: {
        en: `the database takes ${ms} ms to answer; above ${SLOW_MS} ms each message waits for it noticeably`,
        zh: `数据库应答需要 ${ms} 毫秒；超过 ${SLOW_MS} 毫秒时，每条消息都会明显等待数据库`,
      },
      advice: {
        en: "run the service and its database in one place, or look at the way between them",
        zh: "请将服务与数据库部署在同一机房，或检查二者之间的网络",
      },
      parameters: { ms },
    },
  ];
}

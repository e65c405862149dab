import Joi from "@hapi/joi";
import { type JobKind, jobKind } from "@parley/core";
import { sessionsTexts } from "../texts.ts";
import type { Erasures } from "./erasures.ts";

/** Kind of the job that erases a person. */
export const ERASE_PERSON = "people.erase";

/** Creates the job that erases a person. Its stored payload has only the erasure's id. */
export function createErasePersonJob(erasures: () => Erasures): JobKind {
  return jobKind<{ readonly erasure_id: string }>({
    kind: ERASE_PERSON,
    titles: { en: "Erase a person", zh: "清除用户数据" },
    schema: Joi.object({ erasure_id: Joi.string().required() }),
    concurrency: 1,
    retry: { attempts: 20, firstDelayMs: 1_000, maxDelayMs: 600_000 },
    timeoutMs: 6 * 3_600_000,
    async run({ erasure_id }, { log, progress, signal }) {
      const counts = await erasures().run(erasure_id, progress, signal);
      const parts = Object.entries(counts).filter(([, count]) => count > 0);
      log(
        sessionsTexts.message("erased", { counts: parts.map(([name, count]) => `${name} ${count}`).join(", ") || "0" }),
      );
    },
  });
}

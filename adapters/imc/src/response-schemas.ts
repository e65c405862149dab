import { answerFields, shape } from "@parley/core/http";

const { anything, flag, either } = answerFields;

export const acknowledged = {
  "application/json": either(
    shape({ ok: flag }),
    shape({ challenge: anything }),
    shape({ toast: anything.optional(), card: anything.optional() }),
  ),
};

import base from "./vitest.config.ts";

/** The floods: one at a time and alone on the machine, for what they measure are waits. */
export default { ...base, test: { ...base.test, include: ["tests/attack/floods/*.flood.ts"], maxWorkers: 1 } };

import base from "./vitest.config.ts";

/** Flood tests: one at a time with the machine to themselves, since they measure delays. */
export default { ...base, test: { ...base.test, include: ["tests/attack/floods/*.flood.ts"], maxWorkers: 1 } };

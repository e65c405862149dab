// Hashing a password takes a tenth of a second of CPU on purpose, and a test run would do it a thousand times. This file reduces the
// rounds, except in tests about passwords and in services that run as separate processes.
import { syncBuiltinESMExports } from "node:module";
import { expect } from "vitest";

const KEEPS_FULL_COST = /\/tests\/attack\/|password/;
const crypto = process.getBuiltinModule("node:crypto");
// Test files share a process, and modules keep the first function they import, so the function itself checks which test is running.
const shared = globalThis as { testPath?: string };
const isFirst = !("testPath" in shared);
shared.testPath = expect.getState().testPath ?? "";

if (isFirst) {
  const { scrypt } = crypto;
  crypto.scrypt = ((password, salt, length, cost, done) =>
    scrypt(
      password,
      salt,
      length,
      KEEPS_FULL_COST.test(shared.testPath ?? "") ? cost : { ...cost, N: 16 },
      done,
    )) as typeof scrypt;
  syncBuiltinESMExports();
}

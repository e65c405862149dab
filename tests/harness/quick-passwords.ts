// Working through a password takes a tenth of a second of a core, on purpose; a run of all tests would do it a thousand
// times. Here it is done with fewer rounds, but for the tests of that very work, and but for services in processes of
// their own.
import { syncBuiltinESMExports } from "node:module";
import { expect } from "vitest";

const KEEPS_FULL_COST = /\/tests\/attack\/|password/;
const crypto = process.getBuiltinModule("node:crypto");
// Files share a process, and modules keep the function that they find first: it looks each time whose test it is.
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

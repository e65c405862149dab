// Working through a password takes a tenth of a second of a core, on purpose; a run of all tests would do it a thousand
// times. Here it is done with fewer rounds, but for the tests of that very work, and but for services in processes of
// their own.
import { syncBuiltinESMExports } from "node:module";
import { expect } from "vitest";

const KEEPS_ITS_COST = /\/tests\/attack\/|password/;
const crypto = process.getBuiltinModule("node:crypto");
const { scrypt } = crypto;

if (!KEEPS_ITS_COST.test(expect.getState().testPath ?? "")) {
  crypto.scrypt = ((password, salt, length, cost, done) =>
    scrypt(password, salt, length, { ...cost, N: 16 }, done)) as typeof scrypt;
  syncBuiltinESMExports();
}

// Working through a password takes a tenth of a second of a core, on purpose; a run of all tests would do it a thousand
// times. Here it is done with fewer rounds, but for the tests of that very work, and but for services in processes of
// their own.
import { syncBuiltinESMExports } from "node:module";
import { expect } from "vitest";

const KEEPS_ITS_COST = /\/tests\/attack\/|password/;
const crypto = process.getBuiltinModule("node:crypto");
// Files share a process: the one before has perhaps put the quick one in.
const kept = globalThis as { fullScrypt?: typeof crypto.scrypt };
kept.fullScrypt ??= crypto.scrypt;
const { fullScrypt } = kept;

crypto.scrypt = KEEPS_ITS_COST.test(expect.getState().testPath ?? "")
  ? fullScrypt
  : (((password, salt, length, cost, done) =>
      fullScrypt(password, salt, length, { ...cost, N: 16 }, done)) as typeof fullScrypt);
syncBuiltinESMExports();

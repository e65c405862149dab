import { expect, test } from "vitest";
import { contractProblem, contractWarning } from "./contract-problem.ts";

test("a host runs plugins of its contract version and the previous one, and recommends an update for those", () => {
  expect([contractProblem(3, 3), contractWarning(3, 3)]).toEqual([undefined, undefined]);
  expect(contractProblem(2, 3)).toBeUndefined();
  expect(contractWarning(2, 3)).toContain("build it again with @parley/core of contract 3");
});

test("a plugin of an older or a newer contract is rejected with advice", () => {
  expect(contractProblem(1, 3)?.en).toContain(
    "built for contract 1, this host has contract 3: install a newer version",
  );
  expect(contractProblem(4, 3)?.en).toContain("built for contract 4, this host has contract 3: update Parley");
  expect(contractProblem(0, 1)?.en).toContain("install a newer version of the package");
});

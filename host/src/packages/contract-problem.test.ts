import { expect, test } from "vitest";
import { createContractWarning, findContractProblem } from "./contract-problem.ts";

test("a host runs plugins of its contract version and the previous one, and recommends an update for those", () => {
  expect([findContractProblem(3, 3), createContractWarning(3, 3)]).toEqual([undefined, undefined]);
  expect(findContractProblem(2, 3)).toBeUndefined();
  expect(createContractWarning(2, 3)).toContain("build it again with @parley/core of contract 3");
});

test("a plugin of an older or a newer contract is rejected with advice", () => {
  expect(findContractProblem(1, 3)?.en).toContain(
    "built for contract 1, this host has contract 3: install a newer version",
  );
  expect(findContractProblem(4, 3)?.en).toContain("built for contract 4, this host has contract 3: update Parley");
  expect(findContractProblem(0, 1)?.en).toContain("install a newer version of the package");
});

import { expect, test } from "vitest";
import { hasMath, normalizeMath } from "./math-delimiters.ts";

test("formulas are recognised with every kind of delimiter", () => {
  expect(normalizeMath("so $E=mc^2$ holds")).toBe("so $$E=mc^2$$ holds");
  expect(normalizeMath(String.raw`so \(a_1\) and \[ a^2 \] hold`)).toBe("so $$a_1$$ and \n$$\na^2\n$$\n hold");
  expect(normalizeMath("$$\nx\n$$")).toBe("$$\nx\n$$");
});

test("prices, escaped delimiters and code stay as they are", () => {
  for (const text of [
    "it costs $5 and $10",
    String.raw`a \$x\$ b`,
    "run `echo $HOME$PATH` now",
    "```sh\necho $A$\n```",
    "~~~\n\\[ x \\]",
  ]) {
    expect(normalizeMath(text)).toBe(text);
  }
  expect(hasMath("it costs $5 and $10")).toBe(false);
  expect(hasMath("so $x$")).toBe(true);
});

import { expect, test } from "vitest";
import { isAllowedRedirect } from "./redirect-uri.ts";

test.each(["https://app.example/back?to=1", "http://127.0.0.1:9000/cb", "https://app.example/%E2%80%AE"])(
  "a client may receive its answers at %s",
  (address) => expect(isAllowedRedirect(address)).toBe(true),
);

test.each([
  ["a mark that turns the direction", "https://app.example/\u202egnp.exe"],
  ["an isolate", "https://app.example/\u2066a\u2069"],
  ["a mark without width", "https://app.example/a\u200bb"],
  ["a letter that looks like another", "https://app.example/b\u0430ck"],
  ["a host of such letters", "https://\u0430pp.example/"],
  ["a control character", "https://app.example/\u0007"],
])("an address with %s is rejected, because it is shown to people", (_, address) =>
  expect(isAllowedRedirect(address)).toBe(false),
);

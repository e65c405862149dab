import { expect, test } from "vitest";
import { withPlugin } from "./enable-in-config.ts";

test("a package is named at the end of [plugins], and everything else stays as it was written", () => {
  const text = "; mine\n[plugins]\n; one a line\nother = other-package\n\n[web]\nport = 1 ; why\n";
  expect(withPlugin(text, "acme", "acme-adapter")).toBe(
    "; mine\n[plugins]\n; one a line\nother = other-package\nacme = acme-adapter\n\n[web]\nport = 1 ; why\n",
  );
});

test("a file without [plugins], or an empty one, gets the section", () => {
  expect(withPlugin("", "acme", "acme-adapter")).toBe("[plugins]\nacme = acme-adapter\n");
  expect(withPlugin("[web]\nport = 1\n", "acme", "a")).toBe("[web]\nport = 1\n\n[plugins]\nacme = a\n");
});

test("the ends of lines and what stands in comments are left alone", () => {
  expect(withPlugin("\uFEFF[plugins]\r\na = b\r\n", "c", "d")).toBe("\uFEFF[plugins]\r\na = b\r\nc = d\r\n");
  expect(withPlugin(";[plugins]\n", "c", "d")).toBe(";[plugins]\n\n[plugins]\nc = d\n");
});

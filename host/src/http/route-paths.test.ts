import { Server } from "@hapi/hapi";
import { RouteTables, routeName } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { expect, test } from "vitest";

const SEGMENTS = ["a", "b", "a.b", "{x}", "{y}", "a{x}", "a{y}", "{x}b", "a{x}b", "{x*}"];
const ODD = [
  "/",
  "//",
  "/a/",
  "/a//b",
  "x",
  "/{x?}",
  "/{x*2}",
  "/{a-b}",
  "/{x",
  "/a{x*}",
  "/{x}{y}",
  "/ä",
  "/a b",
].concat(["/a?b", "/%20", "/%2f", "/{x*}/b", "/a{x}b{y}", "/{}", "/.", "/{x}/{x}", "/a#b", ""]);
const paths = [...ODD, ...SEGMENTS.flatMap((a) => [`/${a}`, ...SEGMENTS.map((b) => `/${a}/${b}`)])];
const get = (path: string) => ({ method: "GET", path, summary: "x", data: answerFields.anything, run() {} }) as const;

function isAccepted(path: string): boolean {
  try {
    RouteTables.accept?.([get(path)]);
    return true;
  } catch {
    return false;
  }
}

/** Mounts all paths on one server, as the plugins of a service share it. */
function mount(all: readonly string[]): void {
  const server = new Server({ autoListen: false });
  for (const path of all) server.route({ method: "GET", path, handler: () => "" });
}

test("paths that are accepted, and have different names, can be mounted together", () => {
  const byName = new Map(paths.filter(isAccepted).map((path) => [routeName(get(path)), path]));
  expect(byName.size).toBeGreaterThan(40);
  expect(() => mount([...byName.values()])).not.toThrow();
  expect(ODD.filter(isAccepted)).toEqual(["/", "/a/", "/."]);
});

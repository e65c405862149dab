import { describe, expect, test } from "vitest";
import { type ConsoleArea, ConsoleAreas } from "./console-area.ts";

const notes: ConsoleArea = {
  id: "sticky-notes",
  group: "knowledge",
  title: { en: "Notes", zh: "便签" },
  icon: "book",
  view: { kind: "resource", resource: "note" },
};
const accepted = (change: object) => ConsoleAreas.accept?.({ ...notes, ...change });

describe("a console area", () => {
  test.each([
    ["a page of the console", { view: { kind: "page", page: "models" } }],
    ["a resource", {}],
    ["a module of this service", { view: { kind: "module", url: "/api/notes/page.js" }, order: 5, scope: "admin" }],
  ])("may show %s", (_, change) => {
    expect(accepted(change)).toEqual({ ...notes, ...change });
  });

  test.each([
    [{ id: "Sticky Notes" }, "'id'"],
    [{ group: "games" }, "'group'"],
    [{ title: "Notes" }, "'title'"],
    [{ title: { en: "Notes" } }, "'title.zh'"],
    [{ icon: "unicorn" }, "'icon'"],
    [{ view: { kind: "frame", url: "/x.js" } }, "'view.kind'"],
    [{ view: { kind: "resource" } }, "'view.resource'"],
    [{ view: { kind: "module", url: "https://elsewhere.example/page.js" } }, "'view.url'"],
    [{ view: { kind: "module", url: "//elsewhere.example/page.js" } }, "'view.url'"],
    [{ view: { kind: "module", url: "/\\elsewhere.example/page.js" } }, "'view.url'"],
    [{ view: { kind: "module", url: "data:text/javascript,alert(1)" } }, "'view.url'"],
    [{ scope: "root" }, "'scope'"],
  ])("is rejected when it is %j, and the message names the wrong field", (change, field) => {
    expect(() => accepted(change)).toThrow(field);
  });

  test("has a unique id", () => {
    expect(ConsoleAreas.unique?.names(notes)).toEqual(["sticky-notes"]);
  });
});

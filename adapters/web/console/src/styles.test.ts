import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const here = import.meta.dirname;
const MODULE = ".module.css";
/** Stylesheets that hold for the whole page: variables, elements, and the library's own classes. */
const GLOBAL = ["shared/styles/library.css", "shared/styles/reset.css", "shared/styles/tokens.css"];
/** Class names of libraries. */
const LIBRARY = /^(?:mantine|cm|tok|hljs)-/;
const IMPORT = /import (\w+) from "(\.[^"]+\.module\.css)"/g;

const read = (file: string) => readFileSync(join(here, file), "utf8");
const sheets = globSync("**/*.css", { cwd: here });
const modules = sheets.filter((file) => file.endsWith(MODULE));
/** Every selector of a stylesheet, without comments. */
const selectorsOf = (file: string) =>
  [
    ...read(file)
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .matchAll(/([^{};]+)\{/g),
  ].map(([, selector = ""]) => selector);
const classesOf = (selector: string) => [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = ""]) => name);
/** Class names declared by a module, without global ones. */
const declared = (file: string) =>
  new Set(selectorsOf(file).flatMap((selector) => classesOf(selector.replaceAll(/:global\([^)]*\)/g, ""))));
/** Class names of all modules as in the page (`vite.config.ts`). */
const inPage = new Set(
  modules.flatMap((file) => [...declared(file)].map((name) => `${basename(file, MODULE)}_${name}`)),
);
const components = globSync("**/*.tsx", { cwd: here });

describe("the styles of the console", () => {
  it("belong to one component each, and only the three global stylesheets are no modules", () => {
    expect(sheets.filter((file) => !file.endsWith(MODULE)).toSorted()).toEqual(GLOBAL);
    const own = GLOBAL.flatMap((file) => selectorsOf(file).flatMap(classesOf)).filter((name) => !LIBRARY.test(name));
    expect(own).toEqual([]);
  });

  it("are named after one file each, so that class names are unique", () => {
    const names = modules.map((file) => basename(file));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it("refer to classes of another module or a library only where they exist", () => {
    const foreign = modules.flatMap((file) =>
      [...read(file).matchAll(/:global\(\.([\w-]+)\)/g)].map(([, name = ""]) => ({ file, name })),
    );
    expect(foreign.length).toBeGreaterThan(10);
    expect(foreign.filter(({ name }) => !LIBRARY.test(name) && !inPage.has(name))).toEqual([]);
    expect(modules.filter((file) => /:global(?!\(\.[\w-]+\))/.test(read(file)))).toEqual([]);
  });

  it("define every class that a component uses, and none that is unused", () => {
    const used = new Set<string>();
    const missing = components.flatMap((file) =>
      [...read(file).matchAll(IMPORT)].flatMap(([, name = "", path = ""]) => {
        const module = normalize(join(dirname(file), path));
        const declaredNames = existsSync(join(here, module)) ? declared(module) : new Set<string>();
        const usedHere = [...read(file).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, one = ""]) => one);
        for (const one of usedHere) used.add(`${module} ${one}`);
        return usedHere.filter((one) => !declaredNames.has(one)).map((one) => `${file} uses ${one} of ${path}`);
      }),
    );
    expect(missing).toEqual([]);
    const unused = modules.flatMap((file) => [...declared(file)].map((one) => `${file} ${one}`));
    expect(unused.filter((one) => !used.has(one))).toEqual([]);
  });

  it("are used through modules, never as literal class names", () => {
    const written = components.filter((file) => {
      const values = [...read(file).matchAll(/classNames?=(?:"|\{([^}]*)\})/g)];
      return values.some(([whole, value = ""]) => whole.endsWith('"') || /["'][\w-]+["']/.test(value));
    });
    expect(written).toEqual([]);
  });
});

import { expect } from "vitest";

/** Known failures: names of cases with reasons. A case that passes must not be listed, so the list only gets shorter by fixing. */
const KNOWN_FAILURES: readonly (readonly [name: RegExp, why: string])[] = [];

/** Fails on unknown failures, and on known ones that pass. */
export function expectOnlyKnown(tried: readonly string[], broke: Readonly<Record<string, string>>): void {
  const isKnown = (name: string) => KNOWN_FAILURES.some(([known]) => known.test(name));
  expect(Object.fromEntries(Object.entries(broke).filter(([name]) => !isKnown(name)))).toEqual({});
  expect({ mended: tried.filter((name) => isKnown(name) && !(name in broke)) }).toEqual({ mended: [] });
}

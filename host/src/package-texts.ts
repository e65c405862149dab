import type { Localized } from "@parley/core";

const MAX_TITLE = 60;
const MAX_ABOUT = 400;

/** What a package is called, and what it is for. */
export interface PackageTexts {
  readonly title: Localized;
  readonly about: Localized;
}

/**
 * As its package.json says: `description`, and in `parley` a `title` and an `about` in the languages of the console. Anybody
 * may have written it: what is no short text is left out, and another language stands in for one that is missing.
 */
export function textsOf(manifest: unknown, id: string): PackageTexts {
  const { description, parley } = asObject(manifest);
  const { title, about } = asObject(parley);
  const [named, told] = [asObject(title), asObject(about)];
  const name = textIn(named.en, MAX_TITLE) ?? textIn(named.zh, MAX_TITLE) ?? id;
  const said = textIn(told.en, MAX_ABOUT) ?? textIn(description, MAX_ABOUT) ?? textIn(told.zh, MAX_ABOUT) ?? "";
  return {
    title: { en: name, zh: textIn(named.zh, MAX_TITLE) ?? name },
    about: { en: said, zh: textIn(told.zh, MAX_ABOUT) ?? said },
  };
}

function textIn(value: unknown, most: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").trim();
  return text === "" ? undefined : text.slice(0, most);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

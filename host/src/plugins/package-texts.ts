import type { Localized } from "@parley/core";
import { toJsonObject } from "@parley/core/json";

const MAX_TITLE = 60;
const MAX_ABOUT = 400;

/** Title and description of a package. */
export interface PackageTexts {
  readonly title: Localized;
  readonly about: Localized;
}

/** Reads the texts of package.json: `description`, and in `parley` a `title` and an `about` by console language. */
export function readPackageTexts(manifest: unknown, id: string): PackageTexts {
  const { description, parley } = toJsonObject(manifest);
  const { title, about } = toJsonObject(parley);
  const [titleTexts, aboutTexts] = [toJsonObject(title), toJsonObject(about)];
  const name = toShortText(titleTexts.en, MAX_TITLE) ?? toShortText(titleTexts.zh, MAX_TITLE) ?? id;
  const aboutText =
    toShortText(aboutTexts.en, MAX_ABOUT) ??
    toShortText(description, MAX_ABOUT) ??
    toShortText(aboutTexts.zh, MAX_ABOUT) ??
    "";
  return {
    title: { en: name, zh: toShortText(titleTexts.zh, MAX_TITLE) ?? name },
    about: { en: aboutText, zh: toShortText(aboutTexts.zh, MAX_ABOUT) ?? aboutText },
  };
}

function toShortText(value: unknown, most: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").trim();
  return text === "" ? undefined : text.slice(0, most);
}

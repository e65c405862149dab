import { splitCommaList } from "@parley/core";
import { KNOWN_PACKAGES, type KnownPackage } from "./known-packages.ts";
import { createKnownSettings, createOtherSettings, type PackageSettings } from "./package-settings.ts";

/** An adapter package that channels are served by. */
export interface ServedPackage {
  /** The word of its channel type `chat-sdk:<word>`. */
  readonly word: string;
  readonly package: string;
  readonly known: KnownPackage | undefined;
  readonly settings: PackageSettings;
}

const SCOPE = "@chat-adapter/";
const MAX_WORD = 32;

/** Reads the list of packages in the configuration; `slack` stands for `@chat-adapter/slack`. A package that is named twice counts once. */
export function readPackages(list: string): readonly ServedPackage[] {
  const served = new Map<string, ServedPackage>();
  for (const given of splitCommaList(list)) {
    const name = given in KNOWN_PACKAGES ? `${SCOPE}${given}` : given;
    const word = toWord(name);
    if (!served.has(word)) served.set(word, toServed(word, name));
  }
  return [...served.values()];
}

function toServed(word: string, name: string): ServedPackage {
  const known = name === `${SCOPE}${word}` ? KNOWN_PACKAGES[word] : undefined;
  return { word, package: name, known, settings: known ? createKnownSettings(known) : createOtherSettings() };
}

/** Returns the word of a package: its name without scope or folder, and without what only says that it is an adapter. */
function toWord(name: string): string {
  const bare = name
    .replace(/^.*\//, "")
    .replace(/\.[cm]?[jt]s$/, "")
    .replaceAll(/^chat-(sdk-)?adapter-|-(chat-)?adapter$/g, "");
  return bare.replaceAll(/[^A-Za-z0-9_-]/g, "-").slice(0, MAX_WORD);
}

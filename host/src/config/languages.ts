import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Joi from "@hapi/joi";
import {
  type AddedLanguage,
  createReadError,
  type Localized,
  listEnglishTexts,
  listParams,
  parseEdited,
  toFileProblem,
} from "@parley/core";
import { hostTexts } from "../texts.ts";

/** Folder next to `config.ini` with a file for each language besides English and Chinese: `languages/de.json`. */
const FOLDER = "languages";
const CODE = /^[a-z]{2,3}$/;
const BUILT_IN: ReadonlySet<string> = new Set(["en", "zh"]);

interface LanguageFile {
  readonly name: string;
  readonly texts: Readonly<Record<string, string>>;
}

const fileSchema = Joi.object({
  name: Joi.string().trim().max(60).required(),
  texts: Joi.object().pattern(Joi.string(), Joi.string()).required(),
});

/** Languages of an installation by code, and the problems of their files. */
export interface InstalledLanguages {
  readonly languages: ReadonlyMap<string, AddedLanguage>;
  readonly warnings: readonly Localized[];
}

/**
 * Reads the languages next to `config.ini`. A file is `{ "name": "Deutsch", "texts": { "<English>": "<German>" } }`. An unusable file is
 * left out, and so is a text with a parameter that the English one lacks.
 */
export function readLanguages(root: string): InstalledLanguages {
  const languages = new Map<string, AddedLanguage>();
  const warnings: Localized[] = [];
  for (const path of globSync(join(FOLDER, "*.json"), { cwd: root }).toSorted()) {
    const code = basename(path, ".json");
    try {
      if (!CODE.test(code) || BUILT_IN.has(code)) throw hostTexts.error("bad_request", "language_code", { code });
      const { name, texts } = parseLanguage(join(root, path));
      const [fitting, wrong] = splitUsable(texts);
      languages.set(code, { name, texts: new Map(fitting) });
      if (wrong[0])
        warnings.push(hostTexts.localized("language_params", { path, count: wrong.length, text: wrong[0][0] }));
    } catch (error) {
      warnings.push(hostTexts.localized("language_broken", { path, problem: toFileProblem(error) }));
    }
  }
  return { languages, warnings };
}

/** Returns a warning for each language that lacks texts of the loaded packages; these are shown in English. */
export function warnMissingTexts(languages: ReadonlyMap<string, AddedLanguage>): readonly Localized[] {
  const all = listEnglishTexts();
  return [...languages].flatMap(([code, { texts }]) => {
    const missing = all.filter((text) => !texts.has(text));
    const [text] = missing;
    return text === undefined ? [] : [hostTexts.localized("language_lacks", { code, count: missing.length, text })];
  });
}

function parseLanguage(path: string): LanguageFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw createReadError(error);
  }
  return parseEdited(bytes, (json): LanguageFile => {
    const { value, error } = fileSchema.validate(json, { errors: { label: "key" } });
    if (error) throw hostTexts.error("bad_request", "language_shape", { problem: error.message });
    return value;
  });
}

type Entry = readonly [english: string, translation: string];

function splitUsable(
  texts: Readonly<Record<string, string>>,
): readonly [fitting: readonly Entry[], wrong: readonly Entry[]] {
  const fits = ([english, translation]: Entry) => {
    const known = new Set(listParams(english));
    return listParams(translation).every((name) => known.has(name));
  };
  const entries = Object.entries(texts);
  return [entries.filter(fits), entries.filter((entry) => !fits(entry))];
}

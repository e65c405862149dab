import type { Localized } from "@parley/core";
import type { en } from "../locales/en.ts";
import { skillsTexts } from "../texts.ts";

type FilesKey = Exclude<Extract<keyof typeof en, `files_${string}`>, "files_some">;

const KNOWN_FILES: readonly (readonly [file: RegExp, what: FilesKey])[] = [
  [/^(?:.*\/)?(?:card|character)\.json$/, "files_card"],
  [/^word\/document\.xml$/, "files_word"],
  [/^xl\/workbook\.xml$/, "files_excel"],
  [/^ppt\/presentation\.xml$/, "files_slides"],
  [/^META-INF\/container\.xml$/, "files_epub"],
  [/^META-INF\/MANIFEST\.MF$/, "files_java"],
  [/^(?:[^/]+\/)?package\.json$/, "files_node"],
  [/^(?:[^/]+\/)?(?:pyproject\.toml|setup\.py)$/, "files_python"],
  [/^(?:[^/]+\/)?manifest\.json$/, "files_extension"],
];
const KNOWN_EXTENSIONS: readonly (readonly [ends: RegExp, what: FilesKey])[] = [
  [/\.(?:png|jpe?g|gif|webp|bmp|heic)$/i, "files_pictures"],
  [/\.(?:md|markdown|txt)$/i, "files_texts"],
  [/\.jsonl?$/i, "files_export"],
];
const MAX_NAMES = 3;

/** Describes what kind of files these are, for people who uploaded something other than a skill. */
export function describeFiles(names: readonly string[]): Localized {
  const form = KNOWN_FILES.find(([file]) => names.some((name) => file.test(name)));
  if (form) return skillsTexts.localized(form[1]);
  const kind = names.length > 0 ? KNOWN_EXTENSIONS.find(([ends]) => names.every((name) => ends.test(name))) : undefined;
  if (kind) return skillsTexts.localized(kind[1]);
  const some = names.slice(0, MAX_NAMES).join(", ");
  return some === "" ? skillsTexts.localized("files_none") : skillsTexts.localized("files_some", { names: some });
}

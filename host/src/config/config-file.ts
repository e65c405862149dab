import { lstatSync, readFileSync } from "node:fs";
import { createReadError, type Localized } from "@parley/core";
import { decodeUtf8 } from "@parley/core/http";
import { parse } from "ini";
import { createError, sentence, toSentence } from "../sentences.ts";

export type Ini = Readonly<Record<string, unknown>>;

export interface IniFindings {
  /** Errors that stop the start. */
  readonly problems: Localized[];
  /** Likely mistakes that do not stop the start. */
  readonly warnings: Localized[];
}

/** Reads config.ini as written; adds problems to the findings. */
export function readIni(file: string, mustExist: boolean, findings: IniFindings): Ini {
  const { problems } = findings;
  if (!isThere(file)) {
    if (mustExist) problems.push(sentence("config_absent", { file }));
    return {};
  }
  try {
    const text = readText(file);
    checkLines(text, file, findings);
    return parse(text);
  } catch (error) {
    problems.push(sentence("config_unread", { file, reason: toSentence(error) }));
    return {};
  }
}

/** Codes of system errors for which we have a plainer reason. */
const PLAIN_REASONS: readonly string[] = ["EISDIR", "EACCES", "EPERM"];

/** Returns true for an existing file, and for a broken link, which somebody intended to be read. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Reads a text file of the operator; throws an error with the reason. */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw PLAIN_REASONS.includes(code) ? createReadError(error) : error;
  }
  const isWide =
    bytes.subarray(0, 2).equals(Buffer.of(0xff, 0xfe)) || bytes.subarray(0, 2).equals(Buffer.of(0xfe, 0xff));
  if (isWide) throw createError("bad_request", sentence("utf16"));
  if (bytes.includes(0)) throw createError("bad_request", sentence("no_text"));
  try {
    // Removes a byte order mark too.
    return decodeUtf8(bytes);
  } catch (cause) {
    throw createError("bad_request", sentence("not_utf8"), { cause });
  }
}

/** Reports line problems that the parser ignores: repeated keys and sections, and lines it does not understand. */
function checkLines(text: string, file: string, { problems, warnings }: IniFindings): void {
  const settingLines = new Map<string, number>();
  const sectionLines = new Map<string, number>();
  let section = "";
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const addProblem = (problem: Localized) => problems.push(sentence("config_line", { file, line, wrong: problem }));
    if (/^\s*([;#]|$)/.test(written)) continue;
    const header = /^\[([^\]]*)\]\s*$/.exec(written)?.[1];
    if (header !== undefined) {
      section = header.trim();
      const before = sectionLines.get(section);
      if (before !== undefined) warnings.push(sentence("section_twice", { section, line, before }));
      else sectionLines.set(section, line);
    } else if (/^\s*\[/.test(written)) addProblem(sentence("no_section", { line: written.trim() }));
    else {
      const [, key = ""] = /^([^=]*)=/.exec(written) ?? [];
      const name = `[${section}] ${key.trim()}`;
      const before = settingLines.get(name);
      if (key.trim() === "") addProblem(sentence("no_setting", { line: written.trim() }));
      else if (before !== undefined) addProblem(sentence("is_repeated", { name, before }));
      else settingLines.set(name, line);
    }
  }
}

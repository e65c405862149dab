import { existsSync, readFileSync } from "node:fs";
import { parse } from "ini";

export type Ini = Readonly<Record<string, unknown>>;

/** config.ini as it was written; what cannot be used is added to the problems. */
export function readIni(file: string, mustExist: boolean, problems: string[]): Ini {
  if (!existsSync(file)) {
    if (mustExist) problems.push(`config: ${file} does not exist`);
    return {};
  }
  try {
    const text = textOf(readFileSync(file));
    for (const line of repeated(text)) problems.push(`config: ${file}, ${line}`);
    return parse(text);
  } catch (error) {
    problems.push(`config: ${file} cannot be read: ${(error as Error).message}`);
    return {};
  }
}

function textOf(bytes: Buffer): string {
  const isWide =
    bytes.subarray(0, 2).equals(Buffer.of(0xff, 0xfe)) || bytes.subarray(0, 2).equals(Buffer.of(0xfe, 0xff));
  if (isWide) throw new Error("it is written in UTF-16: save it as UTF-8");
  if (bytes.includes(0)) throw new Error("it is no text");
  try {
    // Takes a byte order mark away too.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not written in UTF-8: save it as UTF-8", { cause });
  }
}

/** The parser takes the last of two lines, leaves out what it does not understand, and says nothing of either. */
function repeated(text: string): readonly string[] {
  const first = new Map<string, number>();
  let section = "";
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const number = index + 1;
    if (/^\s*([;#]|$)/.test(line)) return [];
    const header = /^\[([^\]]*)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim();
      return [];
    }
    if (/^\s*\[/.test(line)) return [`line ${number}: '${line.trim()}' is no section: write [name] alone on its line`];
    const [, key = ""] = /^([^=]*)=/.exec(line) ?? [];
    if (key.trim() === "") return [`line ${number}: '${line.trim()}' is no setting: write key = value`];
    const name = `[${section}] ${key.trim()}`;
    const before = first.get(name);
    first.set(name, before ?? number);
    return before === undefined ? [] : [`line ${number}: ${name} was set in line ${before} already`];
  });
}

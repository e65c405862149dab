import { decodeText } from "@parley/core";
import { normalizeWhitespace } from "./html-text.ts";

/** Groups of a document that are not its text, such as fonts and pictures. */
const SKIPPED_GROUPS = new Set(
  "fonttbl colortbl stylesheet info pict object themedata datastore listtable listoverridetable rsidtbl generator xmlnstbl latentstyles fldinst".split(
    " ",
  ),
);
const TEXTS: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n\n",
  page: "\n\n",
  row: "\n",
  tab: " ",
  cell: " | ",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};
/** A control word with its number, a control symbol, a mark of a group, or text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

interface Group {
  isSkipped: boolean;
  /** Count of replacement characters that follow a character given by its number. */
  replacements: number;
}

/** Returns the text of a document in Rich Text Format: its paragraphs, and tables as rows with `|` between their cells. */
export function rtfToText(bytes: Uint8Array): string {
  const source = Buffer.from(bytes).toString("latin1");
  const [, codePage = "1252"] = /\\ansicpg(\d{3,5})/.exec(source) ?? [];
  const groups: Group[] = [{ isSkipped: false, replacements: 1 }];
  let text = "";
  let encoded: number[] = [];
  let ignored = 0;
  const flush = () => {
    if (encoded.length > 0) text += decodeBytes(encoded, codePage);
    encoded = [];
  };
  const add = (more: string) => {
    flush();
    text += more;
  };
  for (const [, word = "", number, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    const group = groups.at(-1) ?? { isSkipped: false, replacements: 1 };
    if (brace === "{") groups.push({ ...group });
    else if (brace === "}") {
      flush();
      if (groups.length > 1) groups.pop();
    } else if (SKIPPED_GROUPS.has(word) || symbol === "*") group.isSkipped = true;
    else if (group.isSkipped) continue;
    else if (word === "trowd") add("\n");
    else if (word === "uc") group.replacements = Number(number ?? 1);
    else if (word === "u") {
      add(String.fromCharCode((Number(number) + 0x10000) % 0x10000));
      ignored = group.replacements;
    } else if (hex !== undefined) {
      if (ignored > 0) ignored -= 1;
      else encoded.push(Number.parseInt(hex, 16));
    } else if (word !== "") add(TEXTS[word] ?? "");
    else if (symbol !== undefined) add(toSymbolText(symbol));
    else if (plain !== undefined) {
      add(plain.slice(ignored));
      ignored = Math.max(0, ignored - plain.length);
    }
  }
  flush();
  return normalizeWhitespace(text.replaceAll(/ \| $/gm, ""));
}

function toSymbolText(symbol: string): string {
  if (symbol === "~") return " ";
  if (symbol === "_") return "-";
  return "\\{}".includes(symbol) ? symbol : "";
}

function decodeBytes(bytes: readonly number[], codePage: string): string {
  const charset = codePage === "65001" ? "utf-8" : (CHARSETS[codePage] ?? `windows-${codePage}`);
  return decodeText(Uint8Array.from(bytes), { charset }) ?? Buffer.from(bytes).toString("latin1");
}

const CHARSETS: Readonly<Record<string, string>> = {
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "10000": "macintosh",
};

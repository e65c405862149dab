/** Replacements for marks that are not spoken; each takes linear time in the length of the text. */
const REPLACEMENTS: readonly (readonly [mark: RegExp, becomes: string])[] = [
  [/<\/?[a-z][^<>\n]{0,500}>/gi, ""],
  [/!\[([^[\]\n]{0,300})\]\([^()\s]{0,2000}(?:\s[^()\n]{0,300})?\)/g, "$1"],
  [/\[([^[\]\n]{1,300})\]\([^()\s]{0,2000}(?:\s[^()\n]{0,300})?\)/g, "$1"],
  [/\[([^[\]\n]{1,300})\]\[[^[\]\n]{0,100}\]/g, "$1"],
  [/^ {0,3}\[[^[\]\n]{1,100}\]:[^\n]*$/gm, ""],
  [/<?\b(?:https?|ftp):\/\/(?:www\.)?([\w.-]{1,253}\w)(?::\d{1,5})?(?:[/?#][^\s<>()，。！？；、）】》]*)?>?/gi, "$1"],
  // Shortened first, because long runs of blanks would slow down the later steps.
  [/[ \t\u00a0]+/g, " "],
  [/^ {0,3}(?:[-*_][ \t]*){3,}$/gm, ""],
  [/^ {0,3}={2,}[ \t]*$/gm, ""],
  // Removes the line below the head of a table, then the borders of its cells.
  [/^[ \t]*\|?(?:[ \t]*:?-{1,50}:?[ \t]*\|)+(?:[ \t]*:?-{1,50}:?)?[ \t]*$/gm, ""],
  [/^[ \t]*\||\|[ \t]*$/gm, ""],
  [/[ \t]*\|[ \t]*/g, ", "],
  [/^[ \t]*(?:>[ \t]?)+/gm, ""],
  [/^[ \t]*#{1,6}[ \t]+|[ \t]+#{1,6}[ \t]*$/gm, ""],
  [/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/gm, ""],
  [/`{1,3}([^`\n]*)`{1,3}/g, "$1"],
  [/(\*{1,3}|~~)(?=\S)([^*~\n]*?\S)\1/g, "$2"],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_\n]*?\S)\1(?![\p{L}\p{N}_])/gu, "$2"],
  [/\\([\\`*_{}[\]()#+.!|>~-])/g, "$1"],
  [
    /(?:\p{Regional_Indicator}{2}|(?!\d|[#*])\p{Emoji_Presentation}|\p{Extended_Pictographic}|\u20e3|\ufe0f|\u200d)+\p{Emoji_Modifier}*/gu,
    "",
  ],
  [/&(?:nbsp|#160);/g, " "],
  [/&amp;/g, "&"],
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
];

/** Maximum length of the spoken text, which is more than anyone listens to. */
const MAX_INPUT_CHARS = 20_000;
const SENTENCE_END = /[.!?。！？…:：;；,，、]["'”’」』）)\]]*$/;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** Returns the speakable part of a text, without markup, addresses, code and images; "" when nothing is left. */
export function toSpeechText(text: string): string {
  const words = removeComments(removeCode(text.slice(0, MAX_INPUT_CHARS).replaceAll("\r", "")));
  const plain = REPLACEMENTS.reduce((now, [mark, becomes]) => now.replaceAll(mark, becomes), words);
  const lines = plain
    .split("\n")
    .map((line) => line.replaceAll(/[ \t\u00a0]+/g, " ").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.map((line, at) => (at === lines.length - 1 ? line : endLine(line))).join("\n");
}

/** Ends a line with punctuation, so that the voice pauses. */
function endLine(line: string): string {
  return SENTENCE_END.test(line) ? line : `${line}${CJK.test(line.slice(-1)) ? "。" : "."}`;
}

/** Removes comments; an unclosed one is plain text. */
function removeComments(text: string): string {
  let cleaned = "";
  for (let at = 0; ; ) {
    const begin = text.indexOf("<!--", at);
    const end = begin < 0 ? -1 : text.indexOf("-->", begin + 4);
    if (end < 0) return cleaned + text.slice(at);
    cleaned += text.slice(at, begin);
    at = end + 3;
  }
}

/** Removes code, which is not spoken; an unclosed block ends with the text. */
function removeCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").filter((line) => {
    const mark = line.trim().slice(0, 3);
    if (fence !== undefined) {
      if (mark === fence) fence = undefined;
      return false;
    }
    if (mark === "```" || mark === "~~~") fence = mark;
    return fence === undefined;
  });
  return lines.join("\n");
}

/** Minimum characters: the first piece is short, so that it is spoken soon; later ones are long enough to sound natural. */
const MIN_FIRST_PIECE = 24;
const MIN_PIECE = 180;
const MAX_PIECE = 1_000;
const SENTENCE_BREAK = /[.!?…]+["'”’)\]]*(?=\s)|[。！？；]+["'”’」』）]*|\n+/g;

/** Splits a text into pieces for speech at the ends of sentences. More text changes only the last piece: unless `isComplete`, it is left out. */
export function splitIntoPieces(text: string, isComplete: boolean): readonly string[] {
  const pieces: string[] = [];
  let begun = 0;
  const take = (end: number) => {
    const piece = text.slice(begun, end).trim();
    begun = end;
    for (let at = 0; at < piece.length; at += MAX_PIECE) pieces.push(piece.slice(at, at + MAX_PIECE));
  };
  for (const { index, 0: mark } of text.matchAll(SENTENCE_BREAK)) {
    const end = index + mark.length;
    if (end - begun >= (pieces.length === 0 ? MIN_FIRST_PIECE : MIN_PIECE)) take(end);
  }
  if (isComplete) take(text.length);
  return pieces.filter((piece) => piece !== "");
}

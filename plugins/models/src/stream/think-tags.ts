/** Tags around thinking of the model families, in lower case. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
];
const OPEN_TAGS = TAGS.map(([open]) => open);
const CLOSE_TAGS = TAGS.map(([, close]) => close);
/** The first character of a tag. Most texts have none and need not be searched. */
const TAG_BEGIN = /[<[◁]/;

/** Separates thinking from the text of models that write both into their answer. */
export interface ThinkTagParser {
  write(delta: string): void;
  /** Passes on the buffered text when the answer has ended. */
  end(): void;
}

export interface ThinkTagOptions {
  /** Called when a lone `</think>` shows that the text so far was thinking; it is then passed on as thinking. */
  readonly retract?: () => void;
  /** True for a model that omits `<think>`, so that its answer begins with thinking. */
  readonly beginsThinking?: boolean;
}

/**
 * Parses `<think>` tags. Servers without support for reasoning pass them on at the start of an answer, or only the
 * closing tag if their template wrote the opening one. Later in the text a tag is only mentioned.
 */
export function createThinkTagParser(
  onText: (text: string) => void,
  onThinking: (text: string) => void,
  { retract = () => {}, beginsThinking = false }: ThinkTagOptions = {},
): ThinkTagParser {
  let buffer = "";
  let emittedText = "";
  /** Tags that end the thinking. */
  let closeTags: readonly string[] = CLOSE_TAGS;
  const begin = () => {
    const start = buffer.trimStart();
    if (beginThinking(start) || isPartialTag(start, OPEN_TAGS)) return;
    step = beginsThinking ? assumeThinking : streamText;
    step();
  };
  /** Starts to read thinking at this point if the text begins with an opening tag. */
  const beginThinking = (start: string): boolean => {
    const tag = TAGS.find(([open]) => beginsWith(start, open));
    if (!tag) return false;
    buffer = start.slice(tag[0].length);
    closeTags = [tag[1]];
    step = readThinking;
    step();
    return true;
  };
  const readThinking = () => {
    const { end, length } = findTag(buffer, closeTags);
    const sure = end < 0 ? buffer.length - getPartialTagLength(buffer, closeTags) : end;
    if (sure > 0) onThinking(buffer.slice(0, sure));
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(length);
  };
  /** Passes the text on as thinking, and remembers it: without a closing tag it was the answer. */
  const assumeThinking = () => {
    const { end, length } = findTag(buffer, CLOSE_TAGS);
    const sure = end < 0 ? buffer.length - getPartialTagLength(buffer, CLOSE_TAGS) : end;
    if (sure > 0) onThinking(buffer.slice(0, sure));
    emittedText += buffer.slice(0, sure);
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(length);
  };
  const answerAfter = (length: number) => {
    buffer = buffer.slice(length);
    step = beginAnswer;
    step();
  };
  /** Skips blank lines, further thinking and repeated closing tags before the answer. */
  const beginAnswer = () => {
    buffer = buffer.trimStart();
    const repeated = CLOSE_TAGS.find((tag) => beginsWith(buffer, tag));
    if (repeated !== undefined) return answerAfter(repeated.length);
    if (beginThinking(buffer) || isPartialTag(buffer, [...OPEN_TAGS, ...CLOSE_TAGS])) return;
    emitRest();
  };
  /** Passes the text on, and looks for a closing tag without an opening one. */
  const streamText = () => {
    const { end, length } = findTag(buffer, CLOSE_TAGS);
    if (end < 0) return flush(buffer.length - getPartialTagLength(buffer, CLOSE_TAGS));
    const before = emittedText + buffer.slice(0, end);
    if (isQuoted(before)) {
      flush(end + length);
      step = emitRest;
      return step();
    }
    retract();
    if (before !== "") onThinking(before);
    answerAfter(end + length);
  };
  const flush = (length: number) => {
    const text = buffer.slice(0, length);
    buffer = buffer.slice(length);
    emittedText += text;
    if (text !== "") onText(text);
  };
  const emitRest = () => {
    step = emitRest;
    const text = buffer;
    buffer = "";
    if (text !== "") onText(text);
  };
  let step: () => void = begin;
  return {
    write(delta) {
      buffer += delta;
      step();
    },
    end() {
      if (step === readThinking && buffer !== "") onThinking(buffer);
      else if (step === begin || step === streamText || step === beginAnswer) emitRest();
      else if (step === assumeThinking && emittedText + buffer !== "") onText(emittedText + buffer);
      buffer = "";
      step = emitRest;
    },
  };
}

/** True for a tag in code or quotes, which the text only mentions. */
function isQuoted(before: string): boolean {
  const isOpened = findTag(before, OPEN_TAGS).end >= 0;
  return isOpened || /[`"'“‘「]$/.test(before) || (before.match(/```/g) ?? []).length % 2 === 1;
}

function beginsWith(text: string, tag: string): boolean {
  return text.slice(0, tag.length).toLowerCase() === tag;
}

/** True when more text may complete a tag. */
function isPartialTag(text: string, tags: readonly string[]): boolean {
  return tags.some((tag) => text.length < tag.length && tag.startsWith(text.toLowerCase()));
}

/** Finds the first of the tags, in upper or lower case; `end` is -1 when there is none. */
function findTag(text: string, tags: readonly string[]): { readonly end: number; readonly length: number } {
  if (!TAG_BEGIN.test(text)) return { end: -1, length: 0 };
  const found = new RegExp(tags.map((tag) => tag.replaceAll(/[[\]]/g, "\\$&")).join("|"), "i").exec(text);
  return { end: found?.index ?? -1, length: found?.[0].length ?? 0 };
}

/** Returns the length of the longest end of the text with which a tag may begin. */
function getPartialTagLength(text: string, tags: readonly string[]): number {
  if (!TAG_BEGIN.test(text)) return 0;
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length -= 1)
    if (isPartialTag(text.slice(-length), tags)) return length;
  return 0;
}

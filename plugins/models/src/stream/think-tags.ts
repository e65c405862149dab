const OPEN_TAG = "<think>";
const CLOSE_TAG = "</think>";

/** Separates thinking from the text of models that write both into their answer. */
export interface ThinkTagParser {
  write(delta: string): void;
  /** Passes on the buffered text at the end of the answer. */
  end(): void;
}

export interface ThinkTagOptions {
  /** Called when the text so far turns out to be thinking, by a lone `</think>`. It is passed on as thinking next. */
  readonly retract?: () => void;
  /** True for a model that omits `<think>`: its answer begins with thinking. */
  readonly beginsThinking?: boolean;
}

/**
 * Parses `<think>` tags. Servers without support for reasoning pass them on at the start of an answer: `<think>…</think>`, or
 * only thinking and `</think>` where the server's template wrote the opening tag. Later in the text a tag is only mentioned.
 */
export function createThinkTagParser(
  onText: (text: string) => void,
  onThinking: (text: string) => void,
  { retract = () => {}, beginsThinking = false }: ThinkTagOptions = {},
): ThinkTagParser {
  let buffer = "";
  let emittedText = "";
  const begin = () => {
    const start = buffer.trimStart();
    if (start.startsWith(OPEN_TAG)) {
      buffer = start.slice(OPEN_TAG.length);
      step = readThinking;
      return step();
    }
    // More may follow.
    if (OPEN_TAG.startsWith(start)) return;
    step = beginsThinking ? assumeThinking : streamText;
    step();
  };
  const readThinking = () => {
    const end = buffer.indexOf(CLOSE_TAG);
    const sure = end < 0 ? buffer.length - partialCloseLength(buffer) : end;
    if (sure > 0) onThinking(buffer.slice(0, sure));
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(CLOSE_TAG.length);
  };
  /** Passes the text on as thinking, but remembers it: without a closing tag it was the answer. */
  const assumeThinking = () => {
    const end = buffer.indexOf(CLOSE_TAG);
    const sure = end < 0 ? buffer.length - partialCloseLength(buffer) : end;
    if (sure > 0) onThinking(buffer.slice(0, sure));
    emittedText += buffer.slice(0, sure);
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(CLOSE_TAG.length);
  };
  const answerAfter = (length: number) => {
    buffer = buffer.slice(length);
    step = skipBlankLines;
    step();
  };
  /** Skips blank lines before the answer. */
  const skipBlankLines = () => {
    buffer = buffer.trimStart();
    if (buffer !== "") emitRest();
  };
  /** Speaks, and watches for an end of thinking that had no beginning. */
  const streamText = () => {
    const end = buffer.indexOf(CLOSE_TAG);
    if (end < 0) return flush(buffer.length - partialCloseLength(buffer));
    const before = emittedText + buffer.slice(0, end);
    if (isQuoted(before)) {
      flush(end + CLOSE_TAG.length);
      step = emitRest;
      return step();
    }
    retract();
    if (before !== "") onThinking(before);
    answerAfter(end + CLOSE_TAG.length);
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
      else if (step === begin || step === streamText) emitRest();
      else if (step === assumeThinking && emittedText + buffer !== "") onText(emittedText + buffer);
      buffer = "";
      step = emitRest;
    },
  };
}

/** True for a tag in code or quotes: the text is about it. */
function isQuoted(before: string): boolean {
  return before.includes(OPEN_TAG) || /[`"'“‘「]$/.test(before) || (before.match(/```/g) ?? []).length % 2 === 1;
}

/** Returns the length of the longest end of the text that may begin the closing tag. */
function partialCloseLength(text: string): number {
  for (let length = Math.min(CLOSE_TAG.length - 1, text.length); length > 0; length -= 1)
    if (CLOSE_TAG.startsWith(text.slice(-length))) return length;
  return 0;
}

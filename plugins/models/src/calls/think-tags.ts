const OPEN = "<think>";
const CLOSE = "</think>";

/** Separates what a model says from what it thinks, where it writes the thinking into its answer. */
export interface ThinkTags {
  hear(delta: string): void;
  /** Passes on what is still buffered: the model says no more. */
  end(): void;
}

export interface ThinkTagOptions {
  /** Called when what was said so far turns out to be thinking: a lone `</think>` follows it. It is passed on as thinking next. */
  readonly retract?: () => void;
  /** True: the model is known to leave `<think>` out, so its answer begins with thinking. */
  readonly beginsThinking?: boolean;
}

/**
 * Models that reason, served by programs that do not know of it, begin their answer with `<think>…</think>`, or with thinking
 * and `</think>` alone where the template of the server wrote the beginning. Further down it is a text about it.
 */
export function createThinkTags(
  said: (text: string) => void,
  thought: (text: string) => void,
  { retract = () => {}, beginsThinking = false }: ThinkTagOptions = {},
): ThinkTags {
  let buffer = "";
  let spoken = "";
  const begin = () => {
    const start = buffer.trimStart();
    if (start.startsWith(OPEN)) {
      buffer = start.slice(OPEN.length);
      step = think;
      return step();
    }
    // More of it may come.
    if (OPEN.startsWith(start)) return;
    step = beginsThinking ? presume : speak;
    step();
  };
  const think = () => {
    const end = buffer.indexOf(CLOSE);
    const sure = end < 0 ? buffer.length - partOfClose(buffer) : end;
    if (sure > 0) thought(buffer.slice(0, sure));
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(CLOSE.length);
  };
  /** Shows it as thinking, and keeps it: without an end it was the answer. */
  const presume = () => {
    const end = buffer.indexOf(CLOSE);
    const sure = end < 0 ? buffer.length - partOfClose(buffer) : end;
    if (sure > 0) thought(buffer.slice(0, sure));
    spoken += buffer.slice(0, sure);
    buffer = buffer.slice(sure);
    if (end >= 0) answerAfter(CLOSE.length);
  };
  const answerAfter = (length: number) => {
    buffer = buffer.slice(length);
    step = rest;
    step();
  };
  /** The answer begins with its first word, not with the lines between. */
  const rest = () => {
    buffer = buffer.trimStart();
    if (buffer !== "") say();
  };
  /** Speaks, and watches for an end of thinking that had no beginning. */
  const speak = () => {
    const end = buffer.indexOf(CLOSE);
    if (end < 0) return flush(buffer.length - partOfClose(buffer));
    const before = spoken + buffer.slice(0, end);
    if (isQuoted(before)) {
      flush(end + CLOSE.length);
      step = say;
      return step();
    }
    retract();
    if (before !== "") thought(before);
    answerAfter(end + CLOSE.length);
  };
  const flush = (length: number) => {
    const text = buffer.slice(0, length);
    buffer = buffer.slice(length);
    spoken += text;
    if (text !== "") said(text);
  };
  const say = () => {
    step = say;
    const text = buffer;
    buffer = "";
    if (text !== "") said(text);
  };
  let step: () => void = begin;
  return {
    hear(delta) {
      buffer += delta;
      step();
    },
    end() {
      if (step === think && buffer !== "") thought(buffer);
      else if (step === begin || step === speak) say();
      else if (step === presume && spoken + buffer !== "") said(spoken + buffer);
      buffer = "";
      step = say;
    },
  };
}

/** True: it stands in code or in quotes, so the text is about it. */
function isQuoted(before: string): boolean {
  return before.includes(OPEN) || /[`"'“‘「]$/.test(before) || (before.match(/```/g) ?? []).length % 2 === 1;
}

/** How much of the end may be the beginning of the word that closes. */
function partOfClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}

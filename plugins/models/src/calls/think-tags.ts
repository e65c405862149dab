const OPEN = "<think>";
const CLOSE = "</think>";

/** Takes apart what a model says and what it thought, where it writes the thinking into its answer. */
export interface ThinkTags {
  hear(delta: string): void;
  /** What is still held is told: the model says no more. */
  end(): void;
}

/**
 * Models that reason, served by programs that do not know of it, begin their answer with `<think>…</think>`. Only there it is
 * taken for thinking: further down it is a text about it.
 */
export function createThinkTags(said: (text: string) => void, thought: (text: string) => void): ThinkTags {
  let held = "";
  const begin = () => {
    const start = held.trimStart();
    if (start.startsWith(OPEN)) {
      held = start.slice(OPEN.length);
      step = think;
      return step();
    }
    // More of it may come.
    if (!OPEN.startsWith(start)) say();
  };
  const think = () => {
    const end = held.indexOf(CLOSE);
    const sure = end < 0 ? held.length - partOfClose(held) : end;
    if (sure > 0) thought(held.slice(0, sure));
    held = held.slice(sure);
    if (end < 0) return;
    held = held.slice(CLOSE.length);
    step = rest;
    step();
  };
  /** The answer begins with its first word, not with the lines between. */
  const rest = () => {
    held = held.trimStart();
    if (held !== "") say();
  };
  const say = () => {
    step = say;
    const text = held;
    held = "";
    if (text !== "") said(text);
  };
  let step: () => void = begin;
  return {
    hear(delta) {
      held += delta;
      step();
    },
    end() {
      if (step === think && held !== "") thought(held);
      else if (step === begin) say();
      held = "";
    },
  };
}

/** How much of the end may be the beginning of the word that closes. */
function partOfClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1)
    if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}

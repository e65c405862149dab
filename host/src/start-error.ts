import type { Localized } from "@parley/core";
import { toSentence, verbatim } from "./sentences.ts";

/** Error of a configuration that cannot start, one sentence per line. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly problems: readonly string[];
  /** Localized problems. */
  readonly sentences: readonly Localized[];

  constructor(sentences: readonly Localized[]) {
    const problems = sentences.map(({ en }) => en);
    super(problems.join("\n"));
    this.problems = problems;
    this.sentences = sentences;
  }
}

/** Returns every reason of a failed start. */
export function toReasons(error: unknown): readonly Localized[] {
  const known = [error, (error as Partial<Error> | undefined)?.cause].find((one) => one instanceof StartError);
  if (known) return known.sentences;
  const sentence = toSentence(error);
  return sentence.en === sentence.zh ? sentence.en.split("\n").map(verbatim) : [sentence];
}

import { inBothLanguages, type Localized, type Finding as Shown } from "@parley/core";

/** One thing that was looked at, in words for who runs the service. */
export interface Finding {
  /** What was looked at: `disk`. */
  readonly about: string;
  readonly level: "ok" | "warning" | "problem";
  readonly said: Localized;
  /** What to do; nothing for what is well. */
  readonly advice?: Localized;
  /** The names and figures in what is said. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

type Parameters = Finding["parameters"];

export function ok(about: string, said: Localized): Finding {
  return { about, level: "ok", said };
}

export function warning(about: string, said: Localized, advice: Localized, parameters?: Parameters): Finding {
  return { about, level: "warning", said, advice, ...(parameters && { parameters }) };
}

export function problem(about: string, said: Localized, advice: Localized, parameters?: Parameters): Finding {
  return { about, level: "problem", said, advice, ...(parameters && { parameters }) };
}

/** What plugins say of themselves, under the first word of its key: `channels` of `channels.down`. */
export function fromPluginFinding({ key, level, said, advice }: Shown): Finding {
  return { about: key.split(".", 1)[0] ?? key, level, said, advice };
}

/** What is the same in every language: names, figures, and sentences of others. */
export const untranslated = (text: string): Localized => inBothLanguages(text);

import { type Localized, localizeMessage, type Finding as Shown } from "@parley/core";

/** Result of one check, described for the operator. */
export interface Finding {
  /** Subject of the finding: `disk`. */
  readonly about: string;
  readonly level: "ok" | "warning" | "problem";
  readonly said: Localized;
  /** Recommended action; absent for `ok`. */
  readonly advice?: Localized;
  /** Names and figures of the message. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

type Parameters = Finding["parameters"];

export function toOk(about: string, message: Localized): Finding {
  return { about, level: "ok", said: message };
}

export function toWarning(about: string, message: Localized, advice: Localized, parameters?: Parameters): Finding {
  return { about, level: "warning", said: message, advice, ...(parameters && { parameters }) };
}

export function toProblem(about: string, message: Localized, advice: Localized, parameters?: Parameters): Finding {
  return { about, level: "problem", said: message, advice, ...(parameters && { parameters }) };
}

/** Converts a plugin's finding; its subject is the first word of its key: `channels` of `channels.down`. */
export function fromPluginFinding({ key, level, said, advice }: Shown): Finding {
  return { about: key.split(".", 1)[0] ?? key, level, said, advice };
}

/** Returns a text that is the same in every language: names, figures, foreign messages. */
export const untranslated = (text: string): Localized => localizeMessage(text);

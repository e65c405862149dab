/** One thing that was looked at, in words for who runs the service. */
export interface Finding {
  /** What was looked at: `disk`. */
  readonly about: string;
  readonly level: "ok" | "warning" | "problem";
  readonly said: string;
  /** What to do; nothing for what is well. */
  readonly advice?: string;
  /** The names and figures in what is said. */
  readonly parameters?: Readonly<Record<string, string | number>>;
}

type Parameters = Finding["parameters"];

export function ok(about: string, said: string): Finding {
  return { about, level: "ok", said };
}

export function warning(about: string, said: string, advice: string, parameters?: Parameters): Finding {
  return { about, level: "warning", said, advice, ...(parameters && { parameters }) };
}

export function problem(about: string, said: string, advice: string, parameters?: Parameters): Finding {
  return { about, level: "problem", said, advice, ...(parameters && { parameters }) };
}

const LINE = /^(?:@(?<tags>\S+) +)?(?::(?<source>\S+) +)?(?<command>\S+)(?<rest>.*)$/s;
const UNESCAPED: Readonly<Record<string, string>> = { ":": ";", s: " ", r: "\r", n: "\n" };
const COLOUR = "\u0003";
const HEX_COLOUR = "\u0004";

/** What a server says in one line. */
export interface Line {
  readonly tags: ReadonlyMap<string, string>;
  /** A server, or `nick!user@host`. */
  readonly source: string;
  readonly command: string;
  readonly params: readonly string[];
}

export function parseLine(text: string): Line | undefined {
  const { tags = "", source = "", command, rest = "" } = LINE.exec(text)?.groups ?? {};
  if (command === undefined) return undefined;
  const last = rest.indexOf(" :");
  const words = (last < 0 ? rest : rest.slice(0, last)).split(" ").filter((word) => word !== "");
  return {
    tags: new Map(tags.split(";").map(parseTag)),
    source,
    command: command.toUpperCase(),
    params: last < 0 ? words : [...words, rest.slice(last + 2)],
  };
}

function parseTag(tag: string): [name: string, value: string] {
  const [name = "", ...value] = tag.split("=");
  return [name, value.join("=").replaceAll(/\\(.?)/gs, (_, sign: string) => UNESCAPED[sign] ?? sign)];
}

/** A name as it is compared: servers say in `CASEMAPPING` what they take for one letter. */
export function foldName(name: string, mapping = "rfc1459"): string {
  const letters = name.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase());
  if (mapping === "ascii") return letters;
  return letters.replaceAll(/[[\]\\~]/g, (sign) => ({ "[": "{", "]": "}", "\\": "|" })[sign] ?? "^");
}

/** A text without its colours and other formatting. */
export function withoutFormatting(text: string): string {
  return text
    .replaceAll(/(\p{Cc})[\da-f]{6}(?:,[\da-f]{6})?/giu, (all, code) => (code === HEX_COLOUR ? "" : all))
    .replaceAll(/(\p{Cc})(\d{1,2}(?:,\d{1,2})?)?/gu, (_, code, digits = "") =>
      code === COLOUR ? "" : `${code === "\t" ? " " : ""}${digits}`,
    );
}

import type { Socket } from "node:net";

const LINE_PATTERN = /^(?:@(?<tags>\S+) +)?(?::(?<source>\S+) +)?(?<command>\S+)(?<rest>.*)$/s;
const MAX_LINE_CHARS = 16_384;
const COLOR_CODE = "\u0003";

/** One line from the server. */
export interface Line {
  readonly tags: ReadonlyMap<string, string>;
  /** Sender: the nick of `nick!user@host`, or a server. */
  readonly nick: string;
  readonly isPerson: boolean;
  readonly command: string;
  readonly params: readonly string[];
}

export function parseLine(text: string): Line | undefined {
  const { tags = "", source = "", command, rest = "" } = LINE_PATTERN.exec(text)?.groups ?? {};
  if (command === undefined) return undefined;
  const last = rest.indexOf(" :");
  const words = (last < 0 ? rest : rest.slice(0, last)).split(" ").filter((word) => word !== "");
  return {
    tags: new Map(tags.split(";").map((tag) => [tag.split("=", 1)[0] ?? "", tag.split("=").slice(1).join("=")])),
    nick: source.split("!")[0] ?? "",
    isPerson: source.includes("!"),
    command: command.toUpperCase(),
    params: last < 0 ? words : [...words, rest.slice(last + 2)],
  };
}

/** Yields the server's lines until the connection ends; throws its error. */
export async function* readLines(socket: Socket): AsyncGenerator<Line> {
  let rest = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARS) throw new Error("the server sends no line ends: does it speak IRC?");
    yield* lines.map(parseLine).filter((line) => line !== undefined);
  }
  throw new Error("the server closed the connection");
}

/** Returns a name for comparisons. Only letters are folded: some servers fold a few symbols too, but no two names become equal here. */
export const foldName = (name: string) => name.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase());

/** Removes colours and other formatting from a text. */
export const stripFormatting = (text: string) =>
  text.replaceAll(/(\p{Cc})(\d{1,2}(?:,\d{1,2})?)?/gu, (_, code, digits = "") =>
    code === COLOR_CODE ? "" : `${code === "\t" ? " " : ""}${digits}`,
  );

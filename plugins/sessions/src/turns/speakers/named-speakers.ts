import { foldText, isWholeWord } from "@parley/core/text-match";

/** A character of a conversation by the names that people call it. */
export interface NamedSpeaker {
  readonly id: string;
  readonly name: string;
  /** Other name from its card. */
  readonly nickname?: string | undefined;
}

const MIN_PART_LENGTH = 3;
/** Words at the beginning of names that are no names. */
const ARTICLES: ReadonlySet<string> = new Set(["the", "der", "die", "das", "les", "los", "las"]);

/** Returns the ids of the characters that a text names, in the order in which it names them. */
export function findNamed(text: string, speakers: readonly NamedSpeaker[]): readonly string[] {
  const folded = foldText(text);
  const places = speakers.flatMap((speaker) => {
    const names = listNames(speaker, speakers);
    const at = Math.min(...names.map((name) => findName(folded, foldText(name))));
    return Number.isFinite(at) ? [{ id: speaker.id, at }] : [];
  });
  return places.sort((one, other) => one.at - other.at).map(({ id }) => id);
}

/** Returns the whole name, the nickname, and the words of the name that no other character has. */
function listNames({ id, name, nickname }: NamedSpeaker, speakers: readonly NamedSpeaker[]): readonly string[] {
  const others = speakers.filter((one) => one.id !== id).flatMap((one) => toWords(one.name));
  const own = toWords(name).filter((word) => word.length >= MIN_PART_LENGTH && !ARTICLES.has(word));
  return [name, ...(nickname ? [nickname] : []), ...own.filter((word) => !others.includes(word))];
}

function toWords(name: string): readonly string[] {
  return foldText(name)
    .split(/[\s·・]+/)
    .filter((word) => word !== "");
}

/** Returns where a name stands as a whole word; infinity when it does not. */
function findName(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (isWholeWord(text, [at, at + name.length])) return at;
  return Number.POSITIVE_INFINITY;
}

import { foldText, isWholeWord } from "@parley/core/text-match";

/** A character of a conversation by the names that people call it. */
export interface NamedSpeaker {
  readonly id: string;
  readonly name: string;
  /** Other name from its card. */
  readonly nickname?: string | undefined;
}

/** Signs and words between the names of those who are spoken to: "Ben, and then Anna: …", "小梅和阿本，…". */
const JOINED = /^(?:[\s,，、&+/]|\b(?:and|then|und|dann|et|puis|y|e|con)\b|[和与跟及]|然后)+$/u;
const SIGN_BEFORE =
  /(?:^|[.。!！?？;；:：,，、…\n"“「—–-])\s*(?:@|(?:hey|hi|hello|and you|und du|et toi|你好|嗨|那)[\s,，]*)?$/u;
const SIGN_AFTER = /^\s*(?:$|[.。!！?？;；:：,，、…\n"”」—–-])/u;
const MIN_PART_LENGTH = 3;
/** Words at the beginning of names that are no names. */
const ARTICLES: ReadonlySet<string> = new Set(["the", "der", "die", "das", "les", "los", "las"]);

interface Place {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the ids of the characters that a text speaks to, in its order: names that signs set off ("Ben, Anna: …").
 * Where it speaks to none in this way, the one that it names first; else none.
 */
export function findAddressed(text: string, speakers: readonly NamedSpeaker[]): readonly string[] {
  const folded = foldText(text);
  const places = findPlaces(folded, speakers);
  const addressed = places.filter((_, index) => isSetOff(folded, places, index)).map(({ id }) => id);
  const [first] = places;
  return addressed.length > 0 ? [...new Set(addressed)] : first ? [first.id] : [];
}

/** Returns where a text names characters, in its order; the longer one of two names at the same place. */
function findPlaces(folded: string, speakers: readonly NamedSpeaker[]): readonly Place[] {
  const places = speakers.flatMap((speaker) =>
    listNames(speaker, speakers).flatMap((name) => listPlaces(folded, foldText(name), speaker.id)),
  );
  const ordered = places.sort((one, other) => one.start - other.start || other.end - one.end);
  return ordered.filter(({ start }, index) => ordered.slice(0, index).every(({ end }) => end <= start));
}

/** Returns true when signs, or names that are set off themselves, stand on both sides of a name. */
function isSetOff(text: string, places: readonly Place[], index: number): boolean {
  const run = findRun(text, places, index);
  const [first, last] = [places[run.from], places[run.to]];
  return Boolean(
    first && last && SIGN_BEFORE.test(text.slice(0, first.start)) && SIGN_AFTER.test(text.slice(last.end)),
  );
}

/** Returns the first and the last of the names that are joined with one. */
function findRun(text: string, places: readonly Place[], index: number) {
  const isJoined = (at: number) => JOINED.test(text.slice(places[at - 1]?.end, places[at]?.start));
  let [from, to] = [index, index];
  while (from > 0 && isJoined(from)) from -= 1;
  while (to + 1 < places.length && isJoined(to + 1)) to += 1;
  return { from, to };
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

/** Returns where a name stands as a whole word. */
function listPlaces(text: string, name: string, id: string): readonly Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1)) {
    const end = start + name.length;
    if (isWholeWord(text, [start, end])) places.push({ id, start, end });
  }
  return places;
}

/** One occurrence of a word in a text. */
export interface FoundWord<Meaning> {
  readonly word: string;
  readonly at: number;
  readonly meanings: readonly Meaning[];
}

interface Node<Meaning> {
  readonly next: Map<number, Node<Meaning>>;
  word: string;
  meanings: Meaning[];
}

const LETTER = /[a-z0-9']/;

/**
 * Creates a finder of words in a lower-case text in one pass: the longest at each position, without overlaps. Words
 * of letters must stand alone; Chinese has no separators.
 */
export function createWordFinder<Meaning>(words: Iterable<readonly [word: string, meaning: Meaning]>) {
  const root: Node<Meaning> = { next: new Map(), word: "", meanings: [] };
  for (const [word, meaning] of words) {
    let node = root;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      const next = node.next.get(code) ?? { next: new Map(), word: "", meanings: [] };
      node.next.set(code, next);
      node = next;
    }
    node.word = word;
    node.meanings.push(meaning);
  }
  return (text: string): readonly FoundWord<Meaning>[] => {
    const found: FoundWord<Meaning>[] = [];
    for (let at = 0; at < text.length; ) {
      const node = findLongestAt(root, text, at);
      if (node) found.push({ word: node.word, at, meanings: node.meanings });
      at += node ? node.word.length : 1;
    }
    return found;
  };
}

function findLongestAt<Meaning>(root: Node<Meaning>, text: string, from: number): Node<Meaning> | undefined {
  let node: Node<Meaning> | undefined = root.next.get(text.charCodeAt(from));
  if (!node || (isLetter(text, from) && isLetter(text, from - 1))) return undefined;
  let longest: Node<Meaning> | undefined;
  for (let at = from + 1; node; at += 1) {
    if (node.meanings.length > 0 && !(isLetter(text, at - 1) && isLetter(text, at))) longest = node;
    node = node.next.get(text.charCodeAt(at));
  }
  return longest;
}

function isLetter(text: string, at: number): boolean {
  return at >= 0 && at < text.length && LETTER.test(text[at] as string);
}

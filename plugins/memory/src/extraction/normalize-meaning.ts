const LEADING_WORDS =
  /^(?:(?:to|the|a|an|my|some|any|all|all kinds of|lots of|really|so|going|go|doing|do|drinking|drink|eating|eat|having|have|playing|play|watching|watch|listening to|listen to|reading|read|making|make|cooking|a (?:good|nice|cup of|glass of|bit of)|good|喝|吃|看|听|玩|去|打|做|读|逛|泡|养|唱)\s*)+(?=.)/iu;
const TRAILING_WORDS =
  /\s*(?:very much|so much|a lot|a great deal|too|as well|most of all|more than anything|in general|to death|at all|these days|这种东西|这个|极了|得不得了|死了|的)$/iu;

/** Returns the normalized name of a thing: equal for "drinking green tea", "a good green tea" and "green teas". */
export function normalizeThing(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s"'.,!?。，！？]+/gu, " ")
    .trim();
  const bare = plain.replace(TRAILING_WORDS, "").replace(LEADING_WORDS, "").trim();
  return (bare === "" ? plain : bare).split(" ").map(stem).join(" ").slice(0, 60);
}

/** Returns a word without its ending. */
function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const single = word
    .replace(/ies$/, "y")
    .replace(/(?<=[sxz]|ch|sh)es$/, "")
    .replace(/(?<![sui])s$/, "");
  const isDoing = single.length > 5 && single.endsWith("ing");
  const base = isDoing ? single.slice(0, -3).replace(/([^aeiouls])\1$/, "$1") : single;
  return base.replace(/(?<=[^aeiou])e$/, "");
}

/** Returns the key that memories of the same meaning share. */
export function normalizeMeaning(content: string): string {
  const [verb = "", ...rest] = content.normalize("NFKC").split(/(?<=^\S+)\s|(?<=^(?:喜欢|不喜欢))/u);
  return `${verb.toLowerCase()} ${normalizeThing(rest.join(" "))}`;
}

import { edged, spaced } from "./filled-in.ts";

interface Pattern {
  readonly pattern: RegExp;
  readonly chinese: string;
}

/**
 * Says the English sentences of a table in Chinese. A name in braces stands for what differs from time to time; what stands
 * there is said by `words` where it has a word of its own. Undefined for a sentence that is not in the table.
 */
export function bySentence(
  table: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>> = {},
): (sentence: string) => string | undefined {
  const patterns = Object.entries(table).map(([english, chinese]): Pattern => {
    const source = english.replaceAll(/[.*+?^$()[\]\\|]/g, "\\$&").replaceAll(/\{(\w+)\}/g, "(?<$1>.+?)");
    return { pattern: new RegExp(`^${source}$`, "s"), chinese };
  });
  return (sentence) => {
    for (const { pattern, chinese } of patterns) {
      const found = pattern.exec(sentence);
      if (!found) continue;
      const said = Object.entries(found.groups ?? {}).map(([name, word]) => [name, words[word] ?? word]);
      const values = edged(Object.fromEntries(said));
      return spaced(chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""));
    }
    return undefined;
  };
}

import { applySpacing, markEdges } from "./cjk-spacing.ts";

interface Pattern {
  readonly pattern: RegExp;
  readonly chinese: string;
}

/**
 * Returns a function that translates the English sentences of a table into Chinese. A name in braces is a
 * placeholder, whose value is translated by `words` where that has it. Undefined for a sentence not in the table.
 */
export function createTranslator(
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
      const { groups = {} } = found;
      const translateWord = (name: string) => words[groups[name] ?? ""] ?? groups[name] ?? "";
      return applySpacing(chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) => markEdges(translateWord(name))));
    }
    return undefined;
  };
}

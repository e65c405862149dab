import { applySpacing, markEdges } from "./cjk-spacing.ts";

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
      const { groups = {} } = found;
      const said = (name: string) => words[groups[name] ?? ""] ?? groups[name] ?? "";
      return applySpacing(chinese.replaceAll(/\{(\w+)\}/g, (_, name: string) => markEdges(said(name))));
    }
    return undefined;
  };
}

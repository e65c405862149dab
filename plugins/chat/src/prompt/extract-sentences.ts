import type { Message } from "@parley/core";

const SENTENCE = /[\s\S]{1,160}?(?:[.!?。！？\n]|$)/g;
/** Signs that a sentence is worth keeping, with their weights: figures, names, what people are, have, want and agreed on. */
const SIGNS: readonly (readonly [sign: RegExp, weight: number])[] = [
  [/\d/, 2],
  [/(?<=[\p{L},] )\p{Lu}\p{Ll}/u, 1],
  [/\b(my|our|i am|i'm|i have|i live|i work|i was|we are|we have|called|named|born|moved|married)\b/i, 2],
  [/\b(remember|promised?|agreed?|decided?|plan|must|never|always|favou?rite|loves?|hates?|prefers?|allergic)\b/i, 2],
  [/我叫|我是|我的|我们|我有|我住|记住|记得|答应|决定|打算|喜欢|讨厌|过敏|生日|搬到|结婚/u, 3],
  [/[?？]\s*$/, -2],
];

/** Returns the sentence of a message that tells most, the first of equals, after the name of its sender. */
export function toTellingLine({ sender, role, content }: Message): string {
  const sentences = (content.trim().match(SENTENCE) ?? []).map((one) => one.trim()).filter(Boolean);
  const best = sentences.reduce((found, one) => (weigh(one) > weigh(found) ? one : found), sentences[0] ?? "");
  return `${sender || role}: ${best}`;
}

/** Joins the lines of an earlier extract and new ones; where they are too long, those that tell least are left out. */
export function toExtract(newLines: readonly string[], previous: string, maxChars: number): string {
  const lines = [...new Set([...previous.split("\n"), ...newLines].filter((line) => line.trim() !== ""))];
  const length = lines.reduce((sum, line) => sum + [...line].length + 1, -1);
  if (length <= maxChars) return lines.join("\n");
  // Of equals the newest stay.
  const byWeight = lines.map((line, at) => ({ line, at })).sort((a, b) => weigh(b.line) - weigh(a.line) || b.at - a.at);
  const chosen = new Set<number>();
  let left = maxChars + 1;
  for (const { line, at } of byWeight) {
    const size = [...line].length + 1;
    if (size > left) continue;
    chosen.add(at);
    left -= size;
  }
  return lines.filter((_, at) => chosen.has(at)).join("\n");
}

function weigh(line: string): number {
  return SIGNS.reduce((sum, [sign, weight]) => sum + (sign.test(line) ? weight : 0), 0);
}

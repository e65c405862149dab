import type { SpokenLine } from "../spoken-line.ts";
import type { Clue } from "./clue.ts";
import { scoreFollowUp } from "./follow-up.ts";
import { DISMISSAL, QUESTION } from "./vocabulary.ts";
import { findNameUse } from "./vocative.ts";

/** Score from which a message counts as meant for the bot. */
export const MEANT_FROM = 1;

/** A group message with what is known of its surroundings. */
export interface ReceivedMessage {
  readonly line: SpokenLine;
  /** Earlier messages, oldest first. */
  readonly before: readonly SpokenLine[];
  /** Names by which people call the bot. */
  readonly names: readonly string[];
}

/** Lists the clues for and against the bot being meant. Their sum from `MEANT_FROM` on means that it is. */
export function listClues({ line, before, names }: ReceivedMessage): readonly Clue[] {
  const text = withoutQuotes(line.text);
  if (DISMISSAL.test(text)) return [{ name: "dismissed", weight: -5 }];
  const use = isNamedOnly(text, names, before) ? "mentioned" : findNameUse(names, text);
  const others = listOtherNames(line, before, names);
  const clues: Clue[] = [];
  if (use === "called") clues.push({ name: "called", weight: 3 });
  if (use === "mentioned") clues.push({ name: "mentioned", weight: -1 });
  if (hasOtherTag(text, names)) clues.push({ name: "other_tagged", weight: -2 });
  if (findNameUse(others, text) === "called") clues.push({ name: "other_called", weight: -2.5 });
  if (line.repliesToOther) clues.push({ name: "reply_to_other", weight: -2 });
  if (QUESTION.test(text)) clues.push({ name: "question", weight: 0.5 });
  return [...clues, ...scoreFollowUp(line, text, before)];
}

/** Returns the sum of the clues. */
export function scoreAddress(received: ReceivedMessage): number {
  return listClues(received).reduce((sum, { weight }) => sum + weight, 0);
}

/** Returns true for a name alone that answers somebody's question: "Which one?" "Ada". */
function isNamedOnly(text: string, names: readonly string[], before: readonly SpokenLine[]): boolean {
  const last = before.at(-1);
  const isName = names.some((name) => name.toLowerCase() === text.toLowerCase());
  return isName && last !== undefined && !last.isOwn && QUESTION.test(last.text);
}

/** Removes quoted lines and passages between quotation marks, in which others are quoted. */
function withoutQuotes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*>/u.test(line))
    .join("\n")
    .replace(/"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»|`[^`\n]*`/gu, " … ")
    .trim();
}

/** Returns the names of the others who spoke recently; the first word of a name too. */
function listOtherNames(line: SpokenLine, before: readonly SpokenLine[], names: readonly string[]): readonly string[] {
  const own = new Set(names.map((name) => name.toLowerCase()));
  const found = new Set<string>();
  for (const { sender, senderId, isOwn } of before) {
    if (isOwn || senderId === line.senderId) continue;
    for (const name of [sender, sender.split(/\s+/u)[0] ?? ""])
      if (name.length > 1 && !own.has(name.toLowerCase())) found.add(name);
  }
  return [...found];
}

/** Returns true when somebody else than the bot is mentioned with @. */
function hasOtherTag(text: string, names: readonly string[]): boolean {
  const tags = [...text.matchAll(/(?<![\p{L}\p{N}.])@([\p{L}\p{N}_]+)/gu)].map(([, name = ""]) => name.toLowerCase());
  return tags.some((tag) => !names.some((name) => tag.startsWith(name.toLowerCase().replaceAll(/\s/gu, ""))));
}

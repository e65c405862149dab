import type { SpokenLine } from "../spoken-line.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { listFound, type SignalName } from "./signals.ts";
import { BOT_WORDS, QUESTION, ROLES } from "./vocabulary.ts";
import { findNameUse, type NameUse } from "./vocative.ts";

/** Lists what the names in a message say about who is meant. */
export function listNameSignals({ line, before, names }: ReceivedMessage, text: string): readonly SignalName[] {
  const others = listOtherNames(line, before, names);
  const use = findBotUse(withoutLongerNames(text, others, names), names, before);
  const otherUse = findNameUse(others, text);
  return listFound([
    ["called", use === "called"],
    ["mentioned", use === "mentioned"],
    ["other_called", otherUse === "called" || findNameUse(ROLES, text) === "called"],
    ["other_named", otherUse === "mentioned"],
    ["other_tagged", line.repliesToOther === true || hasOtherTag(text, names)],
  ]);
}

/** Returns how the bot is named. A name alone that answers somebody's question calls nobody: "Which one?" "Ada". */
function findBotUse(text: string, names: readonly string[], before: readonly SpokenLine[]): NameUse {
  const last = before.at(-1);
  const isName = names.some((name) => name.toLowerCase() === text.toLowerCase());
  if (isName && last !== undefined && !last.isOwn && QUESTION.test(last.text)) return "mentioned";
  return findNameUse([...names, ...BOT_WORDS], text, "loose");
}

/** Removes names of others that contain a name of the bot. */
function withoutLongerNames(text: string, others: readonly string[], names: readonly string[]): string {
  return others
    .filter((other) => names.some((name) => other.includes(name)))
    .reduce((rest, other) => rest.replaceAll(other, "…"), text);
}

/** Returns the names of the others who spoke recently, and the parts of these by which people call them. */
function listOtherNames(line: SpokenLine, before: readonly SpokenLine[], names: readonly string[]): readonly string[] {
  const own = new Set(names.map((name) => name.toLowerCase()));
  const found = new Set<string>();
  for (const { sender, senderId, isOwn } of before) {
    if (isOwn || senderId === line.senderId) continue;
    for (const name of listNameParts(sender)) if (!own.has(name.toLowerCase())) found.add(name);
  }
  return [...found];
}

/** Returns a name and its parts by which people call its bearer: the words, and the last two characters of a Chinese name. */
export function listNameParts(sender: string): readonly string[] {
  const lastTwo = /\p{Script=Han}(\p{Script=Han}{2})$/u.exec(sender)?.[1] ?? "";
  return [sender, ...sender.split(/[\s_]+/u), lastTwo].filter((name) => name.length > 1);
}

/** Returns true when somebody else than the bot is mentioned with @. */
function hasOtherTag(text: string, names: readonly string[]): boolean {
  const tags = [...text.matchAll(/(?<![\p{L}\p{N}.])@([\p{L}\p{N}_]+)/gu)].map(([, name = ""]) => name.toLowerCase());
  return tags.some((tag) => !names.some((name) => tag.startsWith(name.toLowerCase().replaceAll(/\s/gu, ""))));
}

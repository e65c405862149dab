import { readFileSync } from "node:fs";
import type { GroupTrigger } from "@parley/core";
import type { ReceivedMessage } from "../../plugins/groups/src/address/received-message.ts";
import { MEANT_FROM, scoreAddress } from "../../plugins/groups/src/address/score-address.ts";
import { containsKeyword } from "../../plugins/groups/src/keywords.ts";
import type { SpokenLine } from "../../plugins/groups/src/spoken-line.ts";

const BETWEEN_LINES_MS = 12_000;
const MINUTE_MS = 60_000;
/** Names of the bot in the talks. */
export const BOT_NAMES: readonly string[] = ["Ada", "艾达", "小艾"];

/** Files of `tests/bench/group-talk` on which the judge was fitted. */
export const GROUP_TALKS = ["en", "zh", "en-2", "zh-2", "en-3", "zh-3"] as const;
/** Files of talks that no rule or weight was fitted on; they only measure. */
export const HELD_OUT_TALKS = ["en-4", "zh-4"] as const;
export type GroupTalk = (typeof GROUP_TALKS)[number] | (typeof HELD_OUT_TALKS)[number];

/** One labelled message of a group talk. */
export interface LabelledMessage extends ReceivedMessage {
  /** Title of the talk. */
  readonly talk: string;
  /** Addressee: `bot`, `room`, or a person. */
  readonly to: string;
  /** True when the bot should answer; undefined where either is fine. */
  readonly shouldAnswer: boolean | undefined;
  readonly isMention: boolean;
}

/** Reads the talks of a file: `name: text | to`, a `*` for a bot, `^` for a reply to somebody, `+5m` for a pause. */
export function readGroupTalks(file: GroupTalk): readonly LabelledMessage[] {
  const text = readFileSync(new URL(`../bench/group-talk/${file}.txt`, import.meta.url), "utf8");
  return text.split(/^# /mu).flatMap(readTalk);
}

/** Reads sentences with a name of the bot: `text | called` or `text | mentioned`. */
export function readNameUses(): readonly { readonly text: string; readonly use: string }[] {
  const rows = readFileSync(new URL("../bench/group-talk/names.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return rows.map((row) => row.split(" | ")).map(([text = "", use = ""]) => ({ text, use }));
}

function readTalk(text: string): readonly LabelledMessage[] {
  const [talk = "", ...rows] = text.split("\n");
  const messages: LabelledMessage[] = [];
  const before: SpokenLine[] = [];
  let atMs = 0;
  for (const row of rows.filter((one) => one.trim() !== "")) {
    const pause = /^\+(\d+)m$/.exec(row)?.[1];
    atMs += pause === undefined ? BETWEEN_LINES_MS : Number(pause) * MINUTE_MS;
    const [, who = "", words = "", label = ""] = /^([^:]+): (.*?)(?: \| (.+))?$/u.exec(row) ?? [];
    if (who === "") continue;
    const line = toLine(who, words, atMs, before.at(-1)?.senderId ?? "");
    if (!line.isOwn) messages.push({ talk, ...toLabel(label), line, before: [...before], names: BOT_NAMES });
    before.push(line);
  }
  return messages;
}

function toLine(who: string, words: string, atMs: number, answersId: string): SpokenLine {
  const sender = who.replace("*", "");
  const isOwn = BOT_NAMES.includes(sender);
  return {
    senderId: sender,
    sender,
    text: words.replace(/^\^\S* /u, ""),
    atMs,
    isOwn,
    isBot: who.endsWith("*"),
    repliesToOther: words.startsWith("^"),
    ...(isOwn && { answersId }),
  };
}

function toLabel(label: string): Pick<LabelledMessage, "to" | "shouldAnswer" | "isMention"> {
  const [to = "", mention] = label.split(" ");
  return { to, shouldAnswer: to === "?" ? undefined : to === "bot", isMention: mention === "@" };
}

/** Returns whether a trigger lets the bot answer, without a model. */
export function answersTo(trigger: GroupTrigger, message: LabelledMessage, random: () => number): boolean {
  const { text } = message.line;
  if (trigger === "never") return false;
  if (message.isMention || trigger === "all") return true;
  if (trigger === "keywords") return containsKeyword(BOT_NAMES, text);
  if (trigger === "probability") return random() < 0.05;
  return trigger === "judge" && scoreAddress(message) >= MEANT_FROM;
}

/** Counts the mistakes of a trigger: answers where people talk to each other, and silence where the bot is addressed. */
export function countMistakes(trigger: GroupTrigger, messages: readonly LabelledMessage[], random: () => number) {
  const wrong = messages.filter((message) => {
    const { shouldAnswer } = message;
    return shouldAnswer !== undefined && answersTo(trigger, message, random) !== shouldAnswer;
  });
  const per100 = (count: number) => Math.round((count * 1_000) / messages.length) / 10;
  const interjections = wrong.filter(({ shouldAnswer }) => !shouldAnswer);
  const missed = wrong.filter(({ shouldAnswer }) => shouldAnswer);
  return { interjections: per100(interjections.length), missed: per100(missed.length), wrong };
}

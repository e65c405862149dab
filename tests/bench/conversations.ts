import { hash } from "node:crypto";

/** Conversations of two people over months, and later questions about them. `A` and `B` are the speakers. */
export interface Conversations {
  readonly start: number;
  readonly speakers: readonly (readonly [string, string])[];
  /** Words for the placeholders: one of each list per pair of speakers. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly exchanges: readonly {
    /** Lines of the exchange; those with a star answer the question. */
    readonly lines: readonly string[];
    readonly asked: readonly (readonly [kind: string, question: string])[];
    /** Word that joins exchanges: lines of exchanges with the same word answer together. */
    readonly more?: string;
  }[];
  readonly chatter: readonly (readonly string[])[];
}

export interface BenchMessage {
  readonly id: string;
  /** The pair of speakers, and their meeting. */
  readonly pair: string;
  readonly session: string;
  readonly place: number;
  readonly text: string;
  /** Time in milliseconds since the epoch. */
  readonly time: number;
}

export interface Asked {
  readonly pair: string;
  readonly text: string;
  readonly kind: string;
  /** Ids of the messages that answer it. */
  readonly gold: readonly string[];
}

const DAY = 86_400_000;
const PER_SESSION = 2;

/** Generates the conversations: each pair meets every week or two, and facts are surrounded by greetings and small talk. */
export function createConversations({ start, speakers, words, exchanges, chatter }: Conversations): {
  readonly messages: readonly BenchMessage[];
  readonly asked: readonly Asked[];
} {
  const messages: BenchMessage[] = [];
  const asked: Asked[] = [];
  for (const [at, names] of speakers.entries()) {
    const pair = names.join("-");
    const drawn = (what: string, count: number) => hash("md5", `${pair} ${what}`, "buffer").readUInt32LE(0) % count;
    const values: Readonly<Record<string, string>> = {
      ...Object.fromEntries(Object.entries(words).map(([name, list]) => [name, list[drawn(name, list.length)] ?? ""])),
      A: names[0],
      B: names[1],
    };
    const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
    const together = new Map<string, string[]>();
    const questions: { readonly kind: string; readonly text: string; readonly gold: string[] }[] = [];
    let time = start + at * 3 * DAY;
    for (let number = 0; number * PER_SESSION < exchanges.length; number += 1) {
      time += (5 + drawn(`gap ${number}`, 12)) * DAY;
      const session = `${pair}-${number}`;
      let place = 0;
      const say = (line: string) => {
        const [, who = "", what = ""] = /^\*?([AB]): (.*)$/s.exec(line) ?? [];
        const id = `${session}-${place}`;
        messages.push({
          id,
          pair,
          session,
          place,
          time: time + place * 60_000,
          text: `${values[who]}: ${filled(what)}`,
        });
        place += 1;
        return id;
      };
      const small = (which: number) => {
        for (const line of chatter[drawn(`small ${number} ${which}`, chatter.length)] ?? []) say(line);
      };
      small(0);
      for (const [which, one] of exchanges.slice(number * PER_SESSION, (number + 1) * PER_SESSION).entries()) {
        const answers: string[] = [];
        for (const line of one.lines) {
          const id = say(line);
          if (line.startsWith("*")) answers.push(id);
        }
        const group = one.more === undefined ? answers : (together.get(one.more) ?? []);
        if (one.more !== undefined) {
          group.push(...answers);
          together.set(one.more, group);
        }
        for (const [kind, text] of one.asked) questions.push({ kind, text: filled(text), gold: group });
        small(which + 1);
      }
    }
    asked.push(...questions.map((one) => ({ ...one, pair })));
  }
  return { messages: messages, asked };
}

import type { RegexRunner } from "@parley/core";
import { expandMacros } from "@parley/core/characters";
import { compileRegex } from "@parley/core/text-match";
import type { ActivationResult } from "../activation/activation.ts";
import type { ChatMessage } from "../activation/scan-texts.ts";
import type { InjectionState } from "../books/injection-counters.ts";
import { readPackage } from "../formats/read-package.ts";
import { createBook, createEntry, createTestLibrary } from "../test-setup.ts";
import { activateInfo } from "./activate-info.ts";
import type { InfoOptions } from "./info-search.ts";

/** An entry of a World Info file; its name is its content where it has none of its own. */
export type FileEntry = Readonly<Record<string, unknown>>;

/** Creates an entry with keywords, which are separated by commas. */
export function entry(name: string, keys = "", more: FileEntry = {}): FileEntry {
  return { comment: name, key: keys === "" ? [] : keys.split(","), content: name, order: 100, ...more };
}

/** Creates an entry that is always active. */
export function constant(name: string, more: FileEntry = {}): FileEntry {
  return entry(name, "", { constant: true, ...more });
}

export interface Scene extends Partial<Omit<InfoOptions, "index" | "getBook" | "getChance">> {
  /** Keys of the book besides its entries. */
  readonly book?: FileEntry;
  readonly chance?: number | Readonly<Record<string, number>>;
  readonly userName?: string;
  readonly charName?: string;
  /** Injections before, by the name of the entry: the position of the message. */
  readonly earlier?: Readonly<Record<string, number>>;
}

/** Imports a file of these entries and returns what a conversation activates; its last message is the person's. */
export async function recall(
  entries: readonly FileEntry[],
  talk: string | readonly string[],
  scene: Scene = {},
): Promise<readonly ActivationResult[]> {
  const { book = {}, chance = 0, userName = "Ann", charName = "Mira", earlier = {}, ...options } = scene;
  const file = { ...book, entries: Object.fromEntries(entries.map((one, uid) => [uid, { uid, ...one }])) };
  const read = readPackage(file);
  const stored = read.entries.map((one) => createEntry(one));
  const library = await createTestLibrary([createBook({ ...read.fields, id: "book_1" })], stored);
  const nameOf = (id: string) => stored.find((one) => one.id === id)?.name ?? id;
  const all = typeof talk === "string" ? [talk] : talk;
  const messages = all.map((content, at): ChatMessage => {
    const isUser = (all.length - at) % 2 === 1;
    return { role: isUser ? "user" : "assistant", content, name: isUser ? userName : charName, seq: at + 1 };
  });
  const values = { user: userName, char: charName, seed: "s", conversation: "c", at: 0, timeZone: "UTC" };
  return activateInfo(
    {
      index: library.index(),
      getBook: ({ bookId }) => library.books.get(bookId),
      regexes: { runner: createRunner(), library, limitMs: 1_000 },
      getChance: (id) => (typeof chance === "number" ? chance : (chance[nameOf(id)] ?? 0)),
      injectionState: toState(earlier, stored),
      expand: (text, escapeValue = (value) => value) =>
        expandMacros(text, { ...values, user: escapeValue(userName), char: escapeValue(charName) }),
      contextTokens: 8_192,
      generation: "normal",
      ...options,
    },
    messages,
    [...library.books.values()].map(({ scanDepth }) => scanDepth),
  );
}

/** Returns the names of the activated entries in their order in the prompt. */
export async function activate(...asked: Parameters<typeof recall>): Promise<readonly string[]> {
  return (await recall(...asked)).filter(({ text }) => text !== undefined).map(({ lore }) => lore.name);
}

function toState(
  earlier: Readonly<Record<string, number>>,
  stored: readonly { readonly id: string; readonly name: string }[],
): InjectionState {
  const entries = stored.flatMap(({ id, name }) => {
    const seq = earlier[name];
    return seq === undefined ? [] : [[id, { turn: 1, count: 1, seq }] as const];
  });
  return { turn: 2, isKnown: true, entries: new Map(entries) };
}

/** Creates a runner in this thread: the expressions of tests end. */
function createRunner(): RegexRunner {
  return {
    find: async (text, patterns) =>
      patterns().map((pattern) =>
        [...text.matchAll(compileRegex(pattern))].map(({ index, 0: found }) => [index, index + found.length] as const),
      ),
    replace: async (text) => ({ text, timeouts: [], skipped: [], ms: 0 }),
    threads: () => ({ alive: 0, started: 0 }),
    async [Symbol.asyncDispose]() {},
  };
}

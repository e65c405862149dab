import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
// @ts-expect-error A script without declarations.
import { incompatibilities } from "../.config/compare-contract.mjs";

const root = mkdtempSync(join(tmpdir(), "parley-contract-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A small contract: a function, an extension point and a service. */
const CONTRACT = `
export interface ExtensionPoint<T> { readonly id: string; accept?(given: unknown): T }
export interface ServiceKey<T> { readonly id: string; readonly of?: T }
export interface Message { readonly text: string; readonly from?: string }
export interface Io { accept(message: Message): Promise<void> }
export interface Adapter { readonly type: string; readonly ways: readonly ("a" | "b")[]; open(io: Io): Promise<void> }
export interface Store { get(id: string): string | undefined }
export interface Pair<A, B = string> { readonly a: A; readonly b: B }
export declare const Adapters: ExtensionPoint<Adapter>;
export declare const Stores: ServiceKey<Store>;
export declare function cut(text: string, most?: number): readonly string[];
interface Localized { readonly en: string; readonly zh: string }
declare const TEXTS: { readonly gone: { readonly en: "gone"; readonly zh: "不在" }; readonly no: { readonly en: "no {name}"; readonly zh: "没有 {name}" } };
type NamesIn<Text extends string> = Text extends \`\${string}{\${infer Name}}\${infer Rest}\` ? Name | NamesIn<Rest> : never;
type ParamsIn<Text extends string, Value> = { readonly [Name in NamesIn<Text>]: Value };
type ParamsOf<Key extends keyof typeof TEXTS> = ParamsIn<(typeof TEXTS)[Key][keyof Localized], string | number>;
export declare function say<Key extends keyof typeof TEXTS>(key: Key, params: ParamsOf<Key>): string;
`;
type Change = readonly [what: string, from: string, to: string];
const BREAKING: readonly (readonly [...Change, told: string])[] = [
  ["an export that is renamed", "declare function cut(", "declare function cutText(", "cut is gone"],
  ["an interface that is gone", "interface Pair<", "interface Pear<", "Pair is gone"],
  ["a type parameter more that must be given", "Pair<A, B = string>", "Pair<A, B>", "Pair takes other type parameters"],
  ["a parameter that is narrower", "text: string, most", 'text: "a", most', "cut is not what it was"],
  ["a parameter that must be given now", "most?: number", "most: number", "cut is not what it was"],
  [
    "an answer of another type",
    "most?: number): readonly string[]",
    "most?: number): string",
    "cut is not what it was",
  ],
  [
    "a member that adapters must have",
    "readonly type: string;",
    "readonly type: string; readonly more: number;",
    "'more' is missing",
  ],
  [
    "a value that adapters may not give any more",
    '("a" | "b")[]',
    '("a")[]',
    "Adapters does not take what was written for it: 'ways'",
  ],
  [
    "a field that messages must have",
    "readonly from?: string",
    "readonly from: string",
    "Adapters does not take what was written for it: 'open'",
  ],
  ["what a link is given, without a part", "accept(message: Message): Promise<void>", "", "Adapters does not take"],
  [
    "a method that a service loses",
    "get(id: string): string | undefined",
    "",
    "Stores is not what it was: 'get' is missing",
  ],
  [
    "a service that gives more than it did",
    "string | undefined }",
    "string | undefined | null }",
    "Stores is not what it was: 'get'",
  ],
  [
    "a text that is gone",
    'readonly gone: { readonly en: "gone"; readonly zh: "不在" }; ',
    "",
    "say is not what it was",
  ],
  ["a text that takes something else", "string | number>;", "string>;", "say is not what it was"],
];
const HARMLESS: readonly Change[] = [
  [
    "a new point",
    "export declare const Adapters",
    "export declare const Others: ExtensionPoint<Store>;\nexport declare const Adapters",
  ],
  ["a member that adapters may have", "readonly type: string;", "readonly type: string; close?(): void;"],
  [
    "more that a link is given",
    "Promise<void> }\nexport interface Adapter",
    "Promise<void>; log(text: string): void }\nexport interface Adapter",
  ],
  ["a method more of a service", "string | undefined }", "string | undefined; has(id: string): boolean }"],
  ["a parameter more that may be left out", "most?: number", "most?: number, from?: number"],
  [
    "a field of messages that may be left out",
    "readonly from?: string",
    "readonly from?: string; readonly at?: number",
  ],
  ["a text more", "readonly no: {", 'readonly late: { readonly en: "late"; readonly zh: "晚" }; readonly no: {'],
];

/** The problems of all changes, found in one run so that the compiler's libraries are read once. */
const problems: readonly string[] = found([...BREAKING, ...HARMLESS].map(([, from, to]) => [from, to]));

function found(changes: readonly (readonly [from: string, to: string])[]): readonly string[] {
  for (const [at, [from, to]] of changes.entries()) {
    if (!CONTRACT.includes(from)) throw new Error(`the contract has no '${from}'`);
    for (const [folder, text] of [
      ["before", CONTRACT],
      ["now", CONTRACT.replace(from, to)],
    ] as const) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, `change-${at}.d.ts`), text);
    }
  }
  const indexes = changes.map((_, at) => `change-${at}`);
  return incompatibilities(join(root, "before"), join(root, "now"), indexes);
}
const problemsOf = (at: number) => problems.filter((problem) => problem.startsWith(`change-${at}: `)).join("\n");

test.each(BREAKING.map(([what, , , problem], at) => [what, at, problem] as const))(
  "%s breaks plugins, and is reported",
  (_what, at, problem) => expect(problemsOf(at)).toContain(problem),
);

test.each(HARMLESS.map(([what], at) => [what, BREAKING.length + at] as const))("%s breaks no plugin", (_what, at) => {
  expect(problemsOf(at)).toBe("");
});

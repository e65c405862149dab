import { splitCommaList } from "@parley/core";

/** The decorators of a V3 entry that take effect, with their values. */
export interface Decorators {
  readonly activate?: true;
  readonly dont_activate?: true;
  readonly constant?: true;
  readonly keep_activate_after_match?: true;
  readonly dont_activate_after_match?: true;
  readonly ignore_on_max_context?: true;
  readonly depth?: number;
  readonly scan_depth?: number;
  readonly activate_only_after?: number;
  readonly activate_only_every?: number;
  readonly role?: "system" | "user" | "assistant";
  readonly position?: "before_desc" | "after_desc" | "personality" | "scenario";
  readonly additional_keys?: readonly string[];
  readonly exclude_keys?: readonly string[];
}

/** A content without its decorators, and the names of those that have no effect here. */
export interface DecoratedContent {
  readonly text: string;
  readonly decorators: Decorators;
  readonly ignored: readonly string[];
}

type Reader = (value: string) => unknown;

const readFlag: Reader = () => true;
const readNumber: Reader = (value) => (/^\d{1,6}$/.test(value) ? Number(value) : undefined);
const readPositive: Reader = (value) => (/^0*[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined);
const readList: Reader = (value) => (splitCommaList(value).length > 0 ? splitCommaList(value) : undefined);
const readOneOf =
  (...values: readonly string[]): Reader =>
  (value) =>
    values.includes(value) ? value : undefined;

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    activate: readFlag,
    dont_activate: readFlag,
    constant: readFlag,
    keep_activate_after_match: readFlag,
    dont_activate_after_match: readFlag,
    ignore_on_max_context: readFlag,
    depth: readNumber,
    scan_depth: readNumber,
    activate_only_after: readNumber,
    activate_only_every: readPositive,
    role: readOneOf("system", "user", "assistant"),
    position: readOneOf("before_desc", "after_desc", "personality", "scenario"),
    additional_keys: readList,
    exclude_keys: readList,
  } satisfies Record<keyof Decorators, Reader>),
);
const DECORATOR_LINE = /^(@@@?)([a-z_]+)(?:[ \t]+(.*))?$/;
const START = /^\s*@@/;

/**
 * Separates the decorators at the beginning of a content from its text. The first decorator of a name counts; one with
 * three `@` counts only if the one before it has no effect.
 */
export function parseDecorators(content: string): DecoratedContent {
  if (!START.test(content)) return { text: content, decorators: {}, ignored: [] };
  const lines = content.split(/\r?\n/);
  const values: Record<string, unknown> = {};
  const ignored: string[] = [];
  let hasFailed = false;
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = (lines[at] as string).trim();
    const [, mark, name = "", value = ""] = DECORATOR_LINE.exec(line) ?? [];
    if (line === "") continue;
    if (mark === undefined) break;
    if (mark === "@@@" && !hasFailed) continue;
    const read = READERS.get(name)?.(value.trim());
    hasFailed = read === undefined;
    if (hasFailed) ignored.push(name);
    else values[name] ??= read;
  }
  return { text: lines.slice(at).join("\n").trim(), decorators: values, ignored };
}

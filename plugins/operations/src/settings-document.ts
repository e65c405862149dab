export type Document = Readonly<Record<string, unknown>>;

/** RFC 7396: null removes, objects are merged, everything else replaces. */
export function merge(content: Document, patch: Document): Document {
  const merged: Record<string, unknown> = { ...content };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? merge(isObject(old) ? old : {}, value) : value;
  }
  return merged;
}

export function at(document: Document, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), document);
}

export function withValue(document: Document, key: string, value: unknown): Document {
  const [first = "", ...rest] = key.split(".");
  if (rest.length === 0) return { ...document, [first]: value };
  const inner = document[first];
  return { ...document, [first]: withValue(isObject(inner) ? inner : {}, rest.join("."), value) };
}

export function withoutValue(document: Document, key: string): Document {
  const [first = "", ...rest] = key.split(".");
  const { [first]: inner, ...others } = document;
  if (rest.length === 0 || !isObject(inner)) return others;
  const left = withoutValue(inner, rest.join("."));
  return Object.keys(left).length === 0 ? others : { ...others, [first]: left };
}

export function isObject(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every value that is no object, or an empty one, with its way there. */
export function leavesOf(value: Document, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) && Object.keys(inner).length > 0
      ? leavesOf(inner, [...path, key])
      : [{ path: [...path, key], value: inner }],
  );
}

export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Values of a patch that are neither a setting, nor within one, nor take one away: nobody reads them. */
export function strangersIn(patch: Document, keys: readonly string[]): readonly Leaf[] {
  const ways = keys.map((key) => key.split("."));
  const isWithin = (inner: readonly string[], outer: readonly string[]) =>
    outer.every((step, index) => inner[index] === step);
  return leavesOf(patch).filter(
    ({ path, value }) => value !== null && !ways.some((way) => isWithin(path, way) || isWithin(way, path)),
  );
}

/** A document without what nobody reads. */
export function withoutStrangers(document: Document, keys: readonly string[]): Document {
  const strangers = new Set(strangersIn(document, keys).map(({ path }) => path.join("\0")));
  return documentOf(leavesOf(document).filter(({ path }) => !strangers.has(path.join("\0"))));
}

/** A document of leaves, those that are null among them. */
export function documentOf(leaves: readonly Leaf[]): Document {
  const whole: Document = {};
  return leaves.reduce((document, { path, value }) => placed(document, path, value), whole);
}

function placed(document: Document, [first = "", ...rest]: readonly string[], value: unknown): Document {
  const inner = document[first];
  return { ...document, [first]: rest.length === 0 ? value : placed(isObject(inner) ? inner : {}, rest, value) };
}

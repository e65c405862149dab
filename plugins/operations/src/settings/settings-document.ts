import { isObject } from "@parley/core/json";

export type Document = Readonly<Record<string, unknown>>;

/** Applies a merge patch (RFC 7396): null removes a value, objects are merged, all else replaces. */
export function applyMergePatch(content: Document, patch: Document): Document {
  const merged: Record<string, unknown> = { ...content };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? applyMergePatch(isObject(old) ? old : {}, value) : value;
  }
  return merged;
}

export function getValue(document: Document, key: string): unknown {
  return key.split(".").reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), document);
}

export function setValue(document: Document, key: string, value: unknown): Document {
  const [first = "", ...rest] = key.split(".");
  if (rest.length === 0) return { ...document, [first]: value };
  const inner = document[first];
  return { ...document, [first]: setValue(isObject(inner) ? inner : {}, rest.join("."), value) };
}

export function removeValue(document: Document, key: string): Document {
  const [first = "", ...rest] = key.split(".");
  const { [first]: inner, ...others } = document;
  if (rest.length === 0 || !isObject(inner)) return others;
  const left = removeValue(inner, rest.join("."));
  return Object.keys(left).length === 0 ? others : { ...others, [first]: left };
}

export function isEqualJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Lists the values that are not objects, and empty objects, with their paths. */
export function listLeaves(value: Document, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) && Object.keys(inner).length > 0
      ? listLeaves(inner, [...path, key])
      : [{ path: [...path, key], value: inner }],
  );
}

export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns the values of a patch that belong to no setting; a null, which removes a value, is allowed anywhere. */
export function findUnknownLeaves(patch: Document, keys: readonly string[]): readonly Leaf[] {
  const ways = keys.map((key) => key.split("."));
  const isWithin = (inner: readonly string[], outer: readonly string[]) =>
    outer.every((step, index) => inner[index] === step);
  return listLeaves(patch).filter(
    ({ path, value }) => value !== null && !ways.some((way) => isWithin(path, way) || isWithin(way, path)),
  );
}

export function removeUnknownLeaves(document: Document, keys: readonly string[]): Document {
  const unknown = new Set(findUnknownLeaves(document, keys).map(({ path }) => path.join("\0")));
  return fromLeaves(listLeaves(document).filter(({ path }) => !unknown.has(path.join("\0"))));
}

/** Returns a document with these leaves, including those that are null. */
export function fromLeaves(leaves: readonly Leaf[]): Document {
  const whole: Document = {};
  return leaves.reduce((document, { path, value }) => setLeaf(document, path, value), whole);
}

function setLeaf(document: Document, [first = "", ...rest]: readonly string[], value: unknown): Document {
  const inner = document[first];
  return { ...document, [first]: rest.length === 0 ? value : setLeaf(isObject(inner) ? inner : {}, rest, value) };
}

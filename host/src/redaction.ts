import type { Redaction } from "@parley/core";

const SECRET_KEY = /(token|secret|password|authorization|cookie|api_?key|access_?key|private_?key|signature)$/i;
const MASK = "***";
const MIN_LENGTH = 6;
const MAX_DEPTH = 12;
/** Keys that come from outside have no end. */
const MAX_KEYS = 1_000;

/** The objects that the one being looked at stands in. */
interface Within {
  readonly value: object;
  readonly outer: Within | undefined;
  readonly depth: number;
}

function isWithin(value: object, within: Within | undefined): boolean {
  for (let at = within; at; at = at.outer) if (at.value === value) return true;
  return false;
}

/** Masks by key and by the value of every secret it was told. */
export function createRedaction(): Redaction {
  const known = new Set<string>();
  let values: RegExp | undefined;

  const maskText = (text: string) => (values ? text.replaceAll(values, MASK) : text);
  // What needs no mask is given back as it is: most of what passes here does.
  const maskAny = (value: unknown, within: Within | undefined): unknown => {
    if (typeof value === "string") return maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (isWithin(value, within) || (within?.depth ?? 0) > MAX_DEPTH) return "[cut]";
    const here: Within = { value, outer: within, depth: (within?.depth ?? 0) + 1 };
    if (Array.isArray(value)) return maskList(value, here);
    if (value instanceof Date) return value;
    if (value instanceof Error) return maskError(value, here);
    return maskRecord(value as Record<string, unknown>, here);
  };
  const maskList = (list: readonly unknown[], within: Within): unknown => {
    let masked: unknown[] | undefined;
    for (const [index, item] of list.entries()) {
      const inner = maskAny(item, within);
      if (inner !== item) {
        masked ??= [...list];
        masked[index] = inner;
      }
    }
    return masked ?? list;
  };
  const maskRecord = (record: Readonly<Record<string, unknown>>, within: Within): unknown => {
    let masked: Record<string, unknown> | undefined;
    for (const key of Object.keys(record)) {
      const inner = isSecret(key, record[key]) ? MASK : maskAny(record[key], within);
      if (inner !== record[key]) {
        masked ??= { ...record };
        masked[key] = inner;
      }
    }
    return masked ?? record;
  };
  const maskError = (error: Error, seen: Within): object => ({
    type: error.name,
    message: maskText(error.message),
    stack: maskText(error.stack ?? ""),
    ...("code" in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: maskAny(error.cause, seen) }),
  });

  return {
    mask: <T>(value: T) => maskAny(value, undefined) as T,
    remember(secret) {
      if (secret.length < MIN_LENGTH || known.has(secret)) return;
      known.add(secret);
      // Longer ones first: a secret that contains another one is masked as a whole.
      const parts = [...known].sort((a, b) => b.length - a.length).map((text) => RegExp.escape(text));
      values = new RegExp(parts.join("|"), "g");
    },
  };
}

/** What was asked of a key before: most keys come again and again. */
const secretKeys = new Map<string, boolean>();

function isSecretKey(key: string): boolean {
  const known = secretKeys.get(key);
  if (known !== undefined) return known;
  const isSecretName = SECRET_KEY.test(key);
  if (secretKeys.size < MAX_KEYS) secretKeys.set(key, isSecretName);
  return isSecretName;
}

// Numbers and switches under such a key (`max_tokens`, `has_api_key`) tell nothing.
function isSecret(key: string, value: unknown): boolean {
  return isSecretKey(key) && typeof value !== "number" && typeof value !== "boolean" && value !== null && value !== "";
}

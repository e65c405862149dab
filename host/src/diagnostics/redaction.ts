import type { Redaction } from "@parley/core";

const SECRET_KEY =
  /(token|secret|password|authorization|cookie|api[_-]?key|access[_-]?key|private[_-]?key|signature)$/i;
/** A key in JSON text that may be secret. */
const SECRET_KEY_IN_JSON =
  /(?:token|secret|password|authorization|cookie|api[_-]?key|access[_-]?key|private[_-]?key|signature)":/i;
const MASK = "***";
const MIN_LENGTH = 6;
const MAX_DEPTH = 12;
/** Maximum count of cached keys, because external data can contain any number of keys. */
const MAX_KEYS = 1_000;

/** Objects that enclose the current one. */
interface Ancestor {
  readonly value: object;
  readonly outer: Ancestor | undefined;
  readonly depth: number;
}

function isCircular(value: object, within: Ancestor | undefined): boolean {
  for (let at = within; at; at = at.outer) if (at.value === value) return true;
  return false;
}

/** Creates a redaction that masks by key and by the value of every remembered secret. */
export function createRedaction(): Redaction {
  const knownSecrets = new Set<string>();
  let secretPattern: RegExp | undefined;
  /** The secrets as they are written in JSON. */
  let jsonPattern: RegExp | undefined;

  const maskText = (text: string) => (secretPattern ? text.replaceAll(secretPattern, MASK) : text);
  // Values without secrets, which are most, are returned unchanged.
  const maskValue = (value: unknown, within: Ancestor | undefined): unknown => {
    if (typeof value === "string") return maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (isCircular(value, within) || (within?.depth ?? 0) > MAX_DEPTH) return "[cut]";
    const here: Ancestor = { value, outer: within, depth: (within?.depth ?? 0) + 1 };
    if (Array.isArray(value)) return maskList(value, here);
    if (value instanceof Date) return value;
    if (value instanceof Error) return maskError(value, here);
    return maskRecord(value as Record<string, unknown>, here);
  };
  const maskList = (list: readonly unknown[], within: Ancestor): unknown => {
    let masked: unknown[] | undefined;
    for (const [index, item] of list.entries()) {
      const inner = maskValue(item, within);
      if (inner !== item) {
        masked ??= [...list];
        masked[index] = inner;
      }
    }
    return masked ?? list;
  };
  const maskRecord = (record: Readonly<Record<string, unknown>>, within: Ancestor): unknown => {
    let masked: Record<string, unknown> | undefined;
    for (const key of Object.keys(record)) {
      const inner = isSecret(key, record[key]) ? MASK : maskValue(record[key], within);
      if (inner !== record[key]) {
        masked ??= { ...record };
        masked[key] = inner;
      }
    }
    return masked ?? record;
  };
  const maskError = (error: Error, within: Ancestor): object => ({
    type: error.name,
    message: maskText(error.message),
    stack: maskText(error.stack ?? ""),
    ...("code" in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: maskValue(error.cause, within) }),
  });

  return {
    mask: <T>(value: T) => maskValue(value, undefined) as T,
    toMaskedJson(value) {
      const json = toJson(value);
      // Most values contain neither, so they need not be walked through.
      const isClean = json !== undefined && !SECRET_KEY_IN_JSON.test(json) && !jsonPattern?.test(json);
      return isClean ? json : JSON.stringify(maskValue(value, undefined));
    },
    remember(secret) {
      if (secret.length < MIN_LENGTH || knownSecrets.has(secret)) return;
      knownSecrets.add(secret);
      // Longer secrets first, so that one that contains another is masked as a whole.
      const secrets = [...knownSecrets].sort((a, b) => b.length - a.length);
      secretPattern = toPattern(secrets, "g");
      jsonPattern = toPattern(secrets.map((text) => JSON.stringify(text).slice(1, -1)));
    },
  };
}

function toPattern(secrets: readonly string[], flags = ""): RegExp {
  return new RegExp(secrets.map((text) => RegExp.escape(text)).join("|"), flags);
}

/** Returns the JSON of a value; undefined when it refers to itself. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Cached results per key; most keys repeat. */
const secretKeyCache = new Map<string, boolean>();

function isSecretKey(key: string): boolean {
  const known = secretKeyCache.get(key);
  if (known !== undefined) return known;
  const isSecretName = SECRET_KEY.test(key);
  if (secretKeyCache.size < MAX_KEYS) secretKeyCache.set(key, isSecretName);
  return isSecretName;
}

// Numbers and booleans under such keys (`max_tokens`, `has_api_key`) reveal nothing.
function isSecret(key: string, value: unknown): boolean {
  return isSecretKey(key) && typeof value !== "number" && typeof value !== "boolean" && value !== null && value !== "";
}

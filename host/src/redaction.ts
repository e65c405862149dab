import type { Redaction } from "@parley/core";

const SECRET_KEY = /(token|secret|password|authorization|cookie|api_?key|access_?key|private_?key|signature)$/i;
const MASK = "***";
const MIN_LENGTH = 6;
const MAX_DEPTH = 12;

/** Masks by key (contract README §12) and by the value of every secret it was told. */
export function createRedaction(): Redaction {
  const known = new Set<string>();
  let values: RegExp | undefined;

  const maskText = (text: string) => (values ? text.replaceAll(values, MASK) : text);
  const maskAny = (value: unknown, seen: readonly object[]): unknown => {
    if (typeof value === "string") return maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (seen.includes(value) || seen.length > MAX_DEPTH) return "[cut]";
    const inside = [...seen, value];
    if (Array.isArray(value)) return value.map((item) => maskAny(item, inside));
    if (value instanceof Date) return value;
    if (value instanceof Error) return maskError(value, inside);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? MASK : maskAny(inner, inside)]),
    );
  };
  const maskError = (error: Error, seen: readonly object[]): object => ({
    type: error.name,
    message: maskText(error.message),
    stack: maskText(error.stack ?? ""),
    ...("code" in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: maskAny(error.cause, seen) }),
  });

  return {
    mask: <T>(value: T) => maskAny(value, []) as T,
    remember(secret) {
      if (secret.length < MIN_LENGTH || known.has(secret)) return;
      known.add(secret);
      // Longer ones first: a secret that contains another one is masked as a whole.
      const parts = [...known].sort((a, b) => b.length - a.length).map((text) => RegExp.escape(text));
      values = new RegExp(parts.join("|"), "g");
    },
  };
}

// Numbers and switches under such a key (`max_tokens`, `has_api_key`) tell nothing.
function isSecret(key: string, value: unknown): boolean {
  return (
    SECRET_KEY.test(key) && typeof value !== "number" && typeof value !== "boolean" && value !== null && value !== ""
  );
}

import type { Redaction } from "../services/operations/host.ts";
import { maskAddresses } from "./secret-forms.ts";

const SECRET_PATTERNS = [
  /\b(Bearer|Basic) +[\w.~+/=-]{6,}/gi,
  /\bbot\d+:[\w-]{10,}/g,
  /\b(sk|tok|pky|oat|ort|oac)[-_][\w-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
];
/** Patterns of a secret after its name in a text, as in settings and command lines: `password: …`, `access_token=…`, `--api-key …`. */
const NAMED_SECRETS = [
  /((?:token|secret)["']?\s?=\s?)("[^"]*"|'[^']*'|[^\s"'*,;&<>()[\]{}][^\s"',;&<>()[\]{}]*)/gi,
  /((?:password|passwd|pwd|(?:api|access|private)[-_]?key)["']?\s?[=:]\s?)("[^"]*"|'[^']*'|[^\s"'*,;&<>()[\]{}][^\s"',;&<>()[\]{}]*)/gi,
  /((?<![\w-])--(?:[a-z]+-){0,4}(?:token|secret|password|key)\s)("[^"]*"|'[^']*'|[^\s"'-]\S*)/gi,
];
const SECRET_HEADER = /^(.*(token|secret|password|api-?key|signature)|authorization|proxy-authorization|cookie)$/i;

/** Masks secrets by key, by the values known to this process, and by the form secrets have; also inside JSON texts. */
export function maskSecrets<T>(value: T, redaction: Pick<Redaction, "mask">): T {
  return maskValue(redaction.mask(value), redaction) as T;
}

function maskValue(value: unknown, redaction: Pick<Redaction, "mask">): unknown {
  if (typeof value === "string") return maskText(value, redaction);
  if (Array.isArray(value))
    return isSecretPair(value) ? [value[0], "***"] : value.map((one) => maskValue(one, redaction));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  // A header list: `{ name: "Authorization", value: "…" }`.
  const isHeader = entries.some(([key, one]) => key === "name" && typeof one === "string" && SECRET_HEADER.test(one));
  return Object.fromEntries(
    entries.map(([key, one]) => [
      maskText(redaction.mask(key), redaction),
      isHeader && key === "value" ? "***" : maskValue(one, redaction),
    ]),
  );
}

function maskText(text: string, redaction: Pick<Redaction, "mask">): string {
  const inner = /^\s*[[{]/.test(text) ? parseObject(text) : undefined;
  if (inner !== undefined) return JSON.stringify(maskSecrets(inner, redaction));
  const masked = maskAddresses(SECRET_PATTERNS.reduce((shown, form) => shown.replace(form, "***"), text));
  return NAMED_SECRETS.reduce((shown, form) => shown.replace(form, "$1***"), masked);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSecretPair(value: readonly unknown[]): boolean {
  return value.length === 2 && typeof value[0] === "string" && SECRET_HEADER.test(value[0]);
}

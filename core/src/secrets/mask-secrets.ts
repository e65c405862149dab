import type { Redaction } from "../services/operations/host.ts";
import { maskAddresses } from "./secret-forms.ts";

const SECRET_PATTERNS = [
  /\b(Bearer|Basic) +[\w.~+/=-]{6,}/gi,
  /\bbot\d+:[\w-]{10,}/g,
  /\b(sk|tok|pky|oat|ort|oac)[-_][\w-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
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
    entries.map(([key, one]) => [key, isHeader && key === "value" ? "***" : maskValue(one, redaction)]),
  );
}

function maskText(text: string, redaction: Pick<Redaction, "mask">): string {
  const inner = /^\s*[[{]/.test(text) ? parseObject(text) : undefined;
  if (inner !== undefined) return JSON.stringify(maskSecrets(inner, redaction));
  return maskAddresses(SECRET_PATTERNS.reduce((masked, form) => masked.replace(form, "***"), text));
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

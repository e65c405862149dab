import { isObject } from "@parley/core/json";

/** An event of the bridge; ids are strings, or numbers that are exact. */
export interface BridgeEvent {
  readonly post_type: string;
  readonly [key: string]: unknown;
}

export interface BridgeResponse {
  readonly echo: string;
  readonly status: string;
  readonly retcode: number;
  readonly data: unknown;
  readonly text: string;
}

export type Frame =
  | { readonly kind: "event"; readonly event: BridgeEvent }
  | { readonly kind: "answer"; readonly answer: BridgeResponse }
  /** The bridge rejected the token of the whole connection. */
  | { readonly kind: "refused" }
  | { readonly kind: "unknown" };

const MAX_DEPTH = 64;
const AUTH_REJECTED_CODES = new Set([1401, 1403]);

/** Parses a frame; undefined unless it is a JSON object of limited depth. */
export function parseFrame(text: string): Frame | undefined {
  const parsed = parseLossless(text);
  if (!isObject(parsed) || measureDepth(parsed) > MAX_DEPTH) return undefined;
  if (typeof parsed.post_type === "string") return { kind: "event", event: parsed as unknown as BridgeEvent };
  const retcode = Number(parsed.retcode);
  if (typeof parsed.echo === "string") {
    const text = [parsed.message, parsed.wording].find((one) => typeof one === "string" && one !== "");
    const { echo, status, data } = parsed;
    return { kind: "answer", answer: { echo, status: String(status), retcode, data, text: String(text ?? "") } };
  }
  return AUTH_REJECTED_CODES.has(retcode) ? { kind: "refused" } : { kind: "unknown" };
}

/** Parses JSON; integers beyond the safe range stay text. */
export function parseLossless(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value, context?: { readonly source?: string }) =>
      typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
        ? context?.source
        : value,
    );
  } catch {
    return undefined;
  }
}

/** Returns an id as text; "" when there is none. */
export function toIdText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Converts an id for the bridge: a number where that is exact. */
export function toBridgeId(id: string): number | string {
  return /^-?\d+$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

function measureDepth(value: unknown, depth = 1): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return depth;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, measureDepth(one, depth + 1)), depth);
}

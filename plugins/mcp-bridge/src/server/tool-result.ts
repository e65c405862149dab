import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError, isToolParts } from "@parley/core";
import { isObject } from "@parley/core/json";
import { mcpBridgeTexts } from "../texts.ts";
import { toContentBlock } from "./content-block.ts";

const MAX_RESULT_BYTES = 256 * 1024;

/** Converts a tool's result to text and structured content of at most 256 KiB: lists are truncated; without one, it is a `too_large` error. Parts are not limited. */
export function toToolResult(value: unknown, traceId: string): CallToolResult {
  if (isToolParts(value)) return { content: value.parts.map(toContentBlock) };
  const content = truncateToSize({ ok: true, ...(isObject(value) ? value : { result: value ?? null }) });
  if (!content) return toErrorResult(mcpBridgeTexts.error("too_large", "result_large"), traceId);
  return { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content };
}

/** Converts an error to a tool result, without internal details. */
export function toErrorResult(error: unknown, traceId: string): CallToolResult {
  const known = AppError.is(error) && error.code !== "internal";
  const content = {
    ok: false,
    error: known ? error.code : "internal",
    message: known ? error.message : "internal error",
    retryable: known && ["rate_limited", "unavailable", "timed_out", "upstream_failed"].includes(error.code),
    trace_id: traceId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(content) }] };
}

type Content = Readonly<Record<string, unknown>>;

function truncateToSize(whole: Content): Content | undefined {
  let content = whole;
  while (getByteLength(content) > MAX_RESULT_BYTES) {
    const longest = Object.entries(content)
      .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0)
      .sort(([, a], [, b]) => getByteLength(b) - getByteLength(a))[0];
    if (!longest) return undefined;
    const [name, items] = longest;
    content = { ...content, [name]: items.slice(0, Math.floor(items.length / 2)), truncated: true };
  }
  return content;
}

function getByteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

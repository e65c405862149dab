import { createHash } from "node:crypto";
import type { Memory } from "@parley/core";
import type { MemoryRow } from "./tables.ts";

/** Returns a key that is equal for texts differing only in case, spaces and final full stops or exclamation marks. */
export function toContentKey(content: string): string {
  const plain = content
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/[\s.!。!]+$/u, "")
    .trim();
  return createHash("sha256").update(plain).digest("base64url").slice(0, 22);
}

const toIso = (value: number | string | null) => (value === null ? null : new Date(Number(value)).toISOString());
const toMs = (value: string | null) => (value === null ? null : Date.parse(value));

export function fromMemoryRow({ fact_key: _key, content_key: _content, ...row }: MemoryRow): Memory {
  return {
    ...row,
    tags: JSON.parse(row.tags),
    emotion_impact: JSON.parse(row.emotion_impact),
    created_at: toIso(row.created_at) as string,
    updated_at: toIso(row.updated_at) as string,
    said_at: toIso(row.said_at) as string,
    expires_at: toIso(row.expires_at),
    replaced_at: toIso(row.replaced_at),
    last_recalled_at: toIso(row.last_recalled_at),
  };
}

export function toMemoryRow(memory: Memory): MemoryRow {
  const { fact, target_id, character_id, replaced_by } = memory;
  return {
    ...memory,
    tags: JSON.stringify(memory.tags),
    emotion_impact: JSON.stringify(memory.emotion_impact),
    created_at: Date.parse(memory.created_at),
    updated_at: Date.parse(memory.updated_at),
    said_at: Date.parse(memory.said_at),
    expires_at: toMs(memory.expires_at),
    replaced_at: toMs(memory.replaced_at),
    last_recalled_at: toMs(memory.last_recalled_at),
    fact_key: fact === null || replaced_by !== null ? null : JSON.stringify([target_id, character_id, fact]),
    content_key: toContentKey(memory.content),
  };
}

import type { RunTable, StepTable } from "./tables.ts";

// PostgreSQL returns 64-bit numbers as text.

export function parseRunRow(row: RunTable): RunTable {
  return {
    ...row,
    active_ms: Number(row.active_ms),
    created_ms: Number(row.created_ms),
    started_ms: toNumberOrNull(row.started_ms),
    finished_ms: toNumberOrNull(row.finished_ms),
    input_tokens: Number(row.input_tokens),
    output_tokens: Number(row.output_tokens),
  };
}

export function parseStepRow(row: StepTable): StepTable {
  return {
    ...row,
    started_ms: Number(row.started_ms),
    finished_ms: toNumberOrNull(row.finished_ms),
    input_tokens: Number(row.input_tokens),
    output_tokens: Number(row.output_tokens),
  };
}

export function toNumberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}

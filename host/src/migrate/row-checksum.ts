import { hash } from "node:crypto";

export type Row = Readonly<Record<string, unknown>>;

const TERMS_COLUMN = /_terms$/;

/** Count of rows with an order-independent sum. */
export interface RowChecksum {
  readonly rows: number;
  /** Sum of 64 bits, as a decimal number. */
  readonly sum: string;
}

export const NO_ROWS: RowChecksum = { rows: 0, sum: "0" };

/** Adds rows to a checksum over these columns; values that engines represent differently count alike. */
export function addRows({ rows, sum }: RowChecksum, more: readonly Row[], columns: readonly string[]): RowChecksum {
  const sums = more.map((row) => {
    const text = JSON.stringify(columns.map((name) => normalizeValue(row[name], name)));
    return hash("sha256", text, "buffer").readBigUInt64BE();
  });
  const total = sums.reduce((all, one) => all + one, BigInt(sum));
  return { rows: rows + more.length, sum: String(BigInt.asUintN(64, total)) };
}

function normalizeValue(value: unknown, name: string): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  // Terms of an index have no order, and one engine limits the count of frequent ones.
  if (TERMS_COLUMN.test(name)) return [...new Set(String(value).split(" "))].sort();
  return value === undefined ? null : typeof value === "bigint" ? Number(value) : value;
}

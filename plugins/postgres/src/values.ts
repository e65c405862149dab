import pg from "pg";

/** What both engines give alike: numbers as numbers, yes and no as 1 and 0, everything else as its text. */
const NUMBERS = new Set<number>([20, 21, 23, 26, 700, 701, 1700]);
const BOOLEAN = 16;
const BYTES = 17;
const asBytes = pg.types.getTypeParser(BYTES);

/** How columns are read; SQLite's ways are those that the rest of the service knows. */
export const TYPES = {
  getTypeParser(oid: number): (text: string) => unknown {
    if (NUMBERS.has(oid)) return Number;
    if (oid === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
    return oid === BYTES ? (asBytes as (text: string) => unknown) : (text) => text;
  },
};

/** A parameter as SQLite takes it, too. */
export function bound(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}

import pg from "pg";

/** Types that both engines return alike: numbers, booleans as 1 and 0, and all others as text. */
const NUMBER_OIDS = new Set<number>([20, 21, 23, 26, 700, 701, 1700]);
const BOOLEAN_OID = 16;
const BYTEA_OID = 17;
const parseBytes = pg.types.getTypeParser(BYTEA_OID);

/** Parsers of column values, matching SQLite's, which the service expects. */
export const TYPE_PARSERS = {
  getTypeParser(oid: number): (text: string) => unknown {
    if (NUMBER_OIDS.has(oid)) return Number;
    if (oid === BOOLEAN_OID) return (text) => (text === "t" ? 1 : 0);
    return oid === BYTEA_OID ? (parseBytes as (text: string) => unknown) : (text) => text;
  },
};

/** Converts a parameter as SQLite does. */
export function toParameter(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}

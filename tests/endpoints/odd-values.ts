const LONG = "x".repeat(5_000);

/** Words that are no id of anything, for places in a path. */
const NAMES = ["../../etc/passwd", "\u0000", "__proto__", "constructor", "' or 1=1 --", "%", "😀", LONG];

/** Words for a query that wants a number, a time or a name. */
const TEXTS = [
  ...["", "-1", "1.5", "1e3", "99999999999999999999", "NaN", "null", "[object Object]", "2026-02-30T25:00:00Z"],
  ...["+275760-09-13T00:00:00.001Z", "\u0000", "' or 1=1 --", "%", '"*" OR (', LONG],
];

/** Values for a field of a body. */
const VALUES = [
  ...[null, true, -1, 1.5, 1e308, 2 ** 53, "", " ", "\u0000", "\ud83d", "../../etc/passwd", "file:///etc/passwd"],
  ...[LONG, [], [null], [[]], ["__proto__"], {}, { a: { b: null } }],
];

export interface OddValues {
  readonly names: () => readonly string[];
  readonly texts: () => readonly string[];
  readonly values: () => readonly unknown[];
}

/** One of each four in turn, so that all values are tried somewhere; with `isWhole` all of them everywhere. */
export function createOddValues(isWhole: boolean): OddValues {
  const rotate = <Value>(all: readonly Value[]) => {
    let turn = 0;
    return () => {
      turn += 1;
      return isWhole ? all : all.filter((_, at) => (at + turn) % 4 === 0);
    };
  };
  return { names: rotate(NAMES), texts: rotate(TEXTS), values: rotate(VALUES) };
}

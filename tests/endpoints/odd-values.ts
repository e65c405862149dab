const LONG = "x".repeat(5_000);

/** Values for path parameters that are no id. */
const NAMES = ["../../etc/passwd", "\u0000", "__proto__", "constructor", "' or 1=1 --", "%", "😀", LONG];

/** Values for query parameters that expect a number, a time or a name. */
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

/** Creates the odd values: every fourth in turn, so that all are tried somewhere; with `isWhole` all of them everywhere. */
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

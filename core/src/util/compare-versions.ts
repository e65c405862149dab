/** Returns true when `version` is newer than `than` by its first three numbers: 1.10.0 is newer than 1.9.2. */
export function isNewerVersion(version: string, than: string): boolean {
  const numbers = (text: string) => text.split(/[.+-]/).slice(0, 3).map(Number);
  const [given, own] = [numbers(version), numbers(than)];
  const at = given.findIndex((number, index) => number !== own[index]);
  return at !== -1 && (given[at] ?? 0) > (own[at] ?? 0);
}

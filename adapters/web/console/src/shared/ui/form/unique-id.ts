/** Returns the preferred id, or the first free numbered one; the service ignores case. */
export function toUniqueId(preferredId: string, usedIds: readonly string[]): string {
  const lowerCaseIds = new Set(usedIds.map((id) => id.toLowerCase()));
  let id = preferredId;
  for (let number = 2; lowerCaseIds.has(id.toLowerCase()); number += 1) id = `${preferredId}-${number}`;
  return id;
}

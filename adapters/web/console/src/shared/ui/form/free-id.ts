/** The wanted id, or the first numbered one that nobody has; the service does not tell capitals apart. */
export function toUniqueId(preferredId: string, usedIds: readonly string[]): string {
  const lowerCaseIds = new Set(usedIds.map((id) => id.toLowerCase()));
  let id = preferredId;
  for (let number = 2; lowerCaseIds.has(id.toLowerCase()); number += 1) id = `${preferredId}-${number}`;
  return id;
}

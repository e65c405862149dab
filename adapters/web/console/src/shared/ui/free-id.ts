/** The wanted id, or the first numbered one that nobody has; the service does not tell capitals apart. */
export function freeId(wanted: string, taken: readonly string[]): string {
  const known = new Set(taken.map((id) => id.toLowerCase()));
  let id = wanted;
  for (let number = 2; known.has(id.toLowerCase()); number += 1) id = `${wanted}-${number}`;
  return id;
}

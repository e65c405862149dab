/** Parses a JSON text; undefined while it is invalid. An empty text has the value undefined: the default. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

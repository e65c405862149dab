/** What a text says; undefined while it is not JSON. An empty one stands for "nothing": the default. */
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

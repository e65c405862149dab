/** What a JSON file holds; throws `sentence` for another one. */
export async function readJson(file: File, sentence: string): Promise<object> {
  try {
    const json: unknown = JSON.parse(await file.text());
    if (typeof json === "object" && json !== null) return json;
  } catch (cause) {
    throw new Error(sentence, { cause });
  }
  throw new Error(sentence);
}

/** Saves a file of this browser. */
export function save(name: string, content: object): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, undefined, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

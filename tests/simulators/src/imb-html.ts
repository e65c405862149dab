const TAGS = new Set([
  "b",
  "strong",
  "i",
  "em",
  "u",
  "ins",
  "s",
  "strike",
  "del",
  "a",
  "code",
  "pre",
  "blockquote",
  "tg-spoiler",
]);
const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };
const TOKEN = /<(\/?)([a-z-]+)((?:\s[^<>]*)?)>|&(?:lt|gt|amp|quot|#\d+|#x[\da-f]+);|[<>&]/gi;

/** A text as people see it, or the platform's error about invalid markup. */
export type ParsedHtml = { readonly text: string } | { readonly problem: string };

/** Parses the platform's HTML at least as strictly as the platform; nothing is repaired. */
export function parseHtml(html: string): ParsedHtml {
  const open: string[] = [];
  let text = "";
  let at = 0;
  for (const { 0: token, 1: slash, 2: name = "", 3: attributes = "", index } of html.matchAll(TOKEN)) {
    text += html.slice(at, index);
    at = index + token.length;
    const tag = name.toLowerCase();
    if (token.startsWith("&") && token.length > 1) text += decodeEntity(token);
    else if (tag === "") return { problem: `Unexpected ${token} at byte offset ${index}` };
    else if (!TAGS.has(tag)) return { problem: `Unsupported start tag "${tag}" at byte offset ${index}` };
    else if (slash) {
      if (open.pop() !== tag) return { problem: `Unmatched end tag at byte offset ${index}` };
    } else {
      const problem = findNestingProblem(tag, attributes, open);
      if (problem) return { problem: `${problem} at byte offset ${index}` };
      open.push(tag);
    }
  }
  const left = open.at(-1);
  return left
    ? { problem: `Can't find end tag corresponding to start tag "${left}"` }
    : { text: text + html.slice(at) };
}

function decodeEntity(entity: string): string {
  const number = /^&#(x?)([\da-f]+);$/i.exec(entity);
  return number
    ? String.fromCodePoint(Number.parseInt(number[2] ?? "", number[1] ? 16 : 10))
    : (ENTITIES[entity] ?? "");
}

function findNestingProblem(tag: string, attributes: string, open: readonly string[]): string | undefined {
  const inCode = open.includes("pre") || open.includes("code");
  if (inCode && !(tag === "code" && open.at(-1) === "pre")) return `Tag "${tag}" inside code`;
  if (open.includes(tag)) return `Tag "${tag}" inside itself`;
  if ((tag === "code" || tag === "pre") && open.some((one) => !["blockquote", "pre"].includes(one)))
    return `Tag "${tag}" inside other marks`;
  const isLink = tag === "a" && /^ href="[^"<>]+"$/.test(attributes);
  const isLanguage = tag === "code" && open.at(-1) === "pre" && /^ class="language-[^"\s]+"$/.test(attributes);
  return attributes === ""
    ? tag === "a"
      ? "A link without an address"
      : undefined
    : isLink || isLanguage
      ? undefined
      : "Unknown attribute";
}

/** What a message says, in words. `content` is a JSON string of the platform: untrusted. */
export function textOf(type: string, content: string): string | undefined {
  const body = parsed(content);
  switch (type) {
    case "text":
      return textIn(body.text);
    case "post":
      return postText(body);
    case "image":
      return "[image]";
    case "file":
      return `[file ${textIn(body.file_name)}]`.replace(" ]", "]");
    case "audio":
      return "[voice message]";
    case "media":
      return "[video]";
    case "sticker":
      return "[sticker]";
    case "location":
      return `[location ${textIn(body.name)}]`.replace(" ]", "]");
    case "share_chat":
      return "[shared chat]";
    case "share_user":
      return "[shared contact]";
    default:
      return undefined;
  }
}

interface Node {
  readonly tag?: unknown;
  readonly text?: unknown;
  readonly href?: unknown;
  readonly user_id?: unknown;
  readonly user_name?: unknown;
  readonly emoji_type?: unknown;
}

/** Lines of a rich text, with or without a language level. */
function postText(body: Readonly<Record<string, unknown>>): string {
  const inner = Array.isArray(body.content) ? body : (Object.values(body).find(isObject) ?? {});
  const lines = Array.isArray(inner.content) ? inner.content : [];
  const title = textIn(inner.title);
  const said = lines.map((line) => (Array.isArray(line) ? line.filter(isObject).map(nodeText).join("") : ""));
  return [...(title === "" ? [] : [title]), ...said].join("\n").trim();
}

function nodeText(node: Node): string {
  const text = textIn(node.text);
  switch (node.tag) {
    case "a":
      return `${text} (${textIn(node.href)})`;
    case "at":
      return textIn(node.user_id);
    case "img":
      return "[image]";
    case "media":
      return "[video]";
    case "emotion":
      return `[${textIn(node.emoji_type)}]`;
    case "code_block":
      return `\n\`\`\`\n${text}\n\`\`\`\n`;
    case "hr":
      return "\n---\n";
    default:
      return text;
  }
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

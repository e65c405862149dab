import { type ModelRequest, type ModelScript, type ModelServer, startModelServer } from "@parley/simulators";

/** Creates the text of a message from its kill point, its seed, its conversation and its number there. */
export function createText(about: string, withTool: boolean): string {
  return `${withTool ? "note" : "say"} (${about})`;
}

export function readSubject(text: string): string {
  return /\(([^()]+)\)/.exec(text)?.[1] ?? "";
}

export function needsTool(text: string): boolean {
  return text.startsWith("note ");
}

const SENTENCES = ["You said", "I heard", "We talk of"] as const;

/** Starts a model that echoes its input, in several sentences where asked to, and calls the tool `note` first on request. */
export function startTorturedModel(inSentences = false): Promise<ModelServer> {
  return startModelServer({ answer: (request) => answer(request, inSentences) });
}

function answer(request: ModelRequest, inSentences: boolean): ModelScript {
  const question = readUserText(request);
  const about = readSubject(question);
  const last = request.body.messages.at(-1);
  if (last?.role === "tool") return { kind: "text", text: `(${about}) ${joinText(last.content)}` };
  if (inSentences) return { kind: "text", text: SENTENCES.map((words) => `${words} (${about}).`).join(" ") };
  if (needsTool(question)) return { kind: "tool", name: "note", args: { about } };
  return { kind: "text", text: `You said (${about})` };
}

/** Returns the user's text of a request. */
export function readUserText({ body }: ModelRequest): string {
  const question = joinText(body.messages.findLast(({ role }) => role === "user")?.content);
  return /(?:note|say) \([^()]+\)/.exec(question)?.[0] ?? "";
}

function joinText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: string }) => part.text ?? "").join("");
}

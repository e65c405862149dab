import { type ModelRequest, type ModelScript, type ModelServer, startModelServer } from "@parley/simulators";

/** A message is about its place, its seed, its conversation and its number there. */
export function textAbout(about: string, isNoted: boolean): string {
  return `${isNoted ? "note" : "say"} (${about})`;
}

export function aboutOf(text: string): string {
  return /\(([^()]+)\)/.exec(text)?.[1] ?? "";
}

export function isNoted(text: string): boolean {
  return text.startsWith("note ");
}

/** A model that says again what it is told, and calls the tool `note` first where it is told to. */
export function startTorturedModel(): Promise<ModelServer> {
  return startModelServer({ answer });
}

function answer(request: ModelRequest): ModelScript {
  const said = saidIn(request);
  const about = aboutOf(said);
  const last = request.body.messages.at(-1);
  if (last?.role === "tool") return { kind: "text", text: `(${about}) ${textOf(last.content)}` };
  if (isNoted(said)) return { kind: "tool", name: "note", args: { about } };
  return { kind: "text", text: `You said (${about})` };
}

/** What the request is to answer. */
export function saidIn({ body }: ModelRequest): string {
  const said = textOf(body.messages.findLast(({ role }) => role === "user")?.content);
  return /(?:note|say) \([^()]+\)/.exec(said)?.[0] ?? "";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: string }) => part.text ?? "").join("");
}

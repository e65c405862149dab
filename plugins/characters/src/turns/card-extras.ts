import type { CharacterFields } from "@parley/core/characters";

/** A card's text between the messages; `depth` is the number of messages after it. */
export interface DepthPrompt {
  readonly prompt: string;
  readonly depth: number;
  readonly role: "system" | "user" | "assistant";
}

const DEFAULT_DEPTH = 4;
const MAX_DEPTH = 100;
const ROLES = ["system", "user", "assistant"] as const;

/** Returns the text between the messages of a card; undefined when it has none. */
export function readDepthPrompt({ extensions }: Pick<CharacterFields, "extensions">): DepthPrompt | undefined {
  const { prompt, depth, role } = Object(extensions.depth_prompt) as Readonly<Record<string, unknown>>;
  if (typeof prompt !== "string" || prompt.trim() === "") return undefined;
  const count = typeof depth === "string" && depth.trim() !== "" ? Number(depth) : depth;
  const isCount = typeof count === "number" && Number.isFinite(count);
  return {
    prompt,
    depth: isCount ? Math.min(MAX_DEPTH, Math.max(0, Math.trunc(count))) : DEFAULT_DEPTH,
    role: ROLES.find((one) => one === role) ?? "system",
  };
}

/** Returns the other name of a card; undefined when it has none. */
export function readNickname({ card_extra }: Pick<CharacterFields, "card_extra">): string | undefined {
  const { nickname } = card_extra;
  return typeof nickname === "string" && nickname.trim() !== "" ? nickname : undefined;
}

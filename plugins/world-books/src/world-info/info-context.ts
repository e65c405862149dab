import { type Character, Characters, Models, type Resolver, Settings, TIME_ZONE, type Turn } from "@parley/core";
import { expandMacros, type MacroValues, TURN_PERSONA, toMacroValues } from "@parley/core/characters";
import type { Partner } from "../activation/lore.ts";
import type { InfoOptions } from "./info-search.ts";

/** Facts besides the messages that the rules of World Info depend on. */
export interface InfoContext
  extends Pick<InfoOptions, "expand" | "contextTokens" | "generation" | "character" | "sourceTexts"> {
  /** Names of the person and the character, which stand before their messages. */
  readonly user: string;
  readonly char: string;
}

/** Context length where no model is chosen. */
const DEFAULT_CONTEXT_TOKENS = 8_192;

/** Creates the reader of the context of a turn, or of a test, which has no person and no time. */
export function createInfoContextReader(from: Resolver) {
  return async ({
    turn,
    partner,
  }: {
    readonly turn?: Turn;
    readonly partner?: Partner | undefined;
  }): Promise<InfoContext> => {
    const character = partner && (await from.find(Characters)?.find(partner.id));
    const nicknames = listNicknames(character);
    const values = turn && toMacroValues(turn, from.find(Settings)?.get(TIME_ZONE) ?? "UTC", nicknames[0]);
    const name = partner?.name ?? "";
    return {
      user: values?.user ?? "",
      char: turn?.session.sender_name || name,
      expand: createExpansion(values ?? { ...TEST_VALUES, char: nicknames[0] ?? (name || TEST_VALUES.char) }),
      contextTokens: await readContextTokens(from, turn),
      generation: turn?.inbound.kind === "regenerate" ? "regenerate" : "normal",
      ...(partner && { character: { names: [name, ...nicknames], tags: character?.tags ?? [] } }),
      sourceTexts: toSourceTexts(character, turn),
    };
  };
}

const TEST_VALUES: MacroValues = {
  user: "User",
  char: "Character",
  seed: "test",
  conversation: "test",
  at: 0,
  timeZone: "UTC",
};

function createExpansion(values: MacroValues): NonNullable<InfoOptions["expand"]> {
  return (text, escapeValue = (value) => value) =>
    expandMacros(text, { ...values, user: escapeValue(values.user), char: escapeValue(values.char) });
}

async function readContextTokens(from: Resolver, turn: Turn | undefined): Promise<number> {
  try {
    const model = await from.find(Models)?.choose("chat", turn?.session.model_id);
    return model?.parameters.maxContextLength ?? DEFAULT_CONTEXT_TOKENS;
  } catch {
    // The turn itself reports that there is no model.
    return DEFAULT_CONTEXT_TOKENS;
  }
}

function listNicknames(character: Character | undefined): readonly string[] {
  const nickname = character?.card_extra.nickname;
  return typeof nickname === "string" && nickname !== "" ? [nickname] : [];
}

function toSourceTexts(character: Character | undefined, turn: Turn | undefined): InfoOptions["sourceTexts"] {
  const { prompt } = Object(character?.extensions.depth_prompt) as { readonly prompt?: unknown };
  return {
    persona_description: (turn && TURN_PERSONA.of(turn)?.description) ?? "",
    character_description: character?.description ?? "",
    character_personality: character?.personality ?? "",
    character_depth_prompt: typeof prompt === "string" ? prompt : "",
    scenario: turn?.session.scenario || (character?.scenario ?? ""),
    creator_notes: character?.creator_notes ?? "",
  };
}

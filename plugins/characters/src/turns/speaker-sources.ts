import type { PromptSource, PromptText, Turn } from "@parley/core";
import {
  type CharacterFields,
  type CharacterPrompt,
  characterPrompt,
  expandMacros,
  insertCardFields,
  type MacroValues,
  toAuthorRules,
  toPostHistoryPrompt,
} from "@parley/core/characters";
import { charactersTexts } from "../texts.ts";

/** The texts of a character or of the personality that a prompt contains. */
export interface SpeakerTexts {
  readonly name: string;
  readonly prompt: CharacterPrompt;
  readonly scenario: string;
  readonly post_history_instructions: string;
}

/** Returns the texts of a card; the placeholders of its own fields are filled. */
export function toSpeakerTexts(card: CharacterFields): SpeakerTexts {
  return {
    name: card.name,
    prompt: characterPrompt(card),
    scenario: card.scenario,
    post_history_instructions: insertCardFields(card.post_history_instructions, card),
  };
}

export interface SpeakerSourceOptions {
  /** Prefix of the sources' ids. */
  readonly prefix: "characters" | "personality";
  readonly profilePriority: number;
  /** True when this kind of speaker speaks in the turn. */
  readonly hasSpeaker: (turn: Turn) => boolean;
  /** Finds the speaker of a turn that has one; undefined when its record is gone. */
  readonly findSpeaker: (turn: Turn) => Promise<SpeakerTexts | undefined>;
  /** Returns the profile with the session's scene. */
  readonly toProfile: (speaker: SpeakerTexts, turn: Turn) => string;
  readonly toValues: (speaker: SpeakerTexts, turn: Turn) => MacroValues;
}

const PROFILE_TITLES = {
  characters: charactersTexts.localized("part_profile"),
  personality: charactersTexts.localized("part_personality"),
};
const CLOSING_TITLES = {
  characters: charactersTexts.localized("part_closing"),
  personality: charactersTexts.localized("part_personality_closing"),
};

type SpeakerSource = (options: SpeakerSourceOptions) => PromptSource;

/** Prompt sources of a speaker. A prompt that the session has of its own replaces its rules and its profile. */
export const SPEAKER_SOURCES: readonly SpeakerSource[] = [
  (options) => ({
    ...describeSource(options, "rules"),
    key: "character.profile",
    title: PROFILE_TITLES[options.prefix],
    priority: 20,
    place: "system",
    concerns: (turn) => hasProfile(options, turn),
    async collect(turn) {
      const speaker = await options.findSpeaker(turn);
      return speaker && toAuthorRules(speaker.prompt.rules, options.toValues(speaker, turn));
    },
  }),
  (options) => ({
    ...describeSource(options, "profile"),
    key: "character.profile",
    title: PROFILE_TITLES[options.prefix],
    priority: options.profilePriority,
    place: "system",
    concerns: (turn) => hasProfile(options, turn),
    async collect(turn) {
      const speaker = await options.findSpeaker(turn);
      return speaker && toInstruction(expandMacros(options.toProfile(speaker, turn), options.toValues(speaker, turn)));
    },
  }),
  (options) => ({
    ...describeSource(options, "post-history"),
    key: "character.post_history",
    title: CLOSING_TITLES[options.prefix],
    priority: 30,
    place: "after-history",
    concerns: options.hasSpeaker,
    async collect(turn) {
      const speaker = await options.findSpeaker(turn);
      return speaker && toInstruction(toPostHistoryPrompt(speaker, options.toValues(speaker, turn)));
    },
  }),
];

function describeSource({ prefix }: SpeakerSourceOptions, part: string) {
  // A replay has no records to read.
  return { id: `${prefix}.${part}`, isExternal: true } as const;
}

function hasProfile({ hasSpeaker }: SpeakerSourceOptions, turn: Turn): boolean {
  return turn.session.system_prompt === "" && hasSpeaker(turn);
}

/** Returns a text that the model follows, as opposed to data. */
export function toInstruction(text: string): PromptText {
  return { text, isData: false };
}

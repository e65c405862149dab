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
import { type RegexScript, readScripts } from "../regex-scripts/read-scripts.ts";
import { charactersTexts } from "../texts.ts";
import { type DepthPrompt, readDepthPrompt, readNickname } from "./card-extras.ts";

/** The texts of a character or of the personality that a prompt contains. */
export interface SpeakerTexts {
  readonly name: string;
  readonly prompt: CharacterPrompt;
  readonly scenario: string;
  readonly post_history_instructions: string;
  /** Other name, by which `{{char}}` is replaced. */
  readonly nickname?: string;
  /** Text between the messages, if the card has one. */
  readonly depthPrompt?: DepthPrompt;
  readonly scripts: readonly RegexScript[];
}

/** Returns the texts of a card; the placeholders of its own fields are filled. */
export function toSpeakerTexts(card: CharacterFields): SpeakerTexts {
  const nickname = readNickname(card);
  const depthPrompt = readDepthPrompt(card);
  return {
    name: card.name,
    prompt: characterPrompt(card),
    scenario: card.scenario,
    post_history_instructions: insertCardFields(card.post_history_instructions, card),
    ...(nickname !== undefined && { nickname }),
    ...(depthPrompt && { depthPrompt }),
    scripts: readScripts(card),
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
  (options) => createDepthSource(options, "before-user"),
  (options) => createDepthSource(options, "after-history"),
];

/** Creates the source of a card's text between the messages, near the end of the history or after it. */
function createDepthSource(options: SpeakerSourceOptions, place: "before-user" | "after-history"): PromptSource {
  return {
    ...describeSource(options, place === "before-user" ? "depth-prompt" : "depth-prompt-last"),
    key: "character.depth_prompt",
    title: charactersTexts.localized("part_depth"),
    priority: 34,
    place,
    concerns: options.hasSpeaker,
    async collect(turn) {
      const speaker = await options.findSpeaker(turn);
      const { prompt, depth, role } = speaker?.depthPrompt ?? { prompt: "", depth: 0, role: "system" };
      if (!speaker || prompt === "" || (depth === 0) !== (place === "after-history")) return undefined;
      const text = expandMacros(prompt, options.toValues(speaker, turn));
      const position = depth === 0 ? {} : { depth, ...(role === "assistant" && { saidBy: "assistant" as const }) };
      return { ...toInstruction(text), ...position };
    },
  };
}

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

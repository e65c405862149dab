import { truncateWithEllipsis } from "@parley/core/channels";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Removes terminal sequences, control characters, invisible and incomplete characters from an untrusted text, and truncates it. */
export function sanitizeText(text: string, maxChars: number): string {
  // Text far beyond the limit is cut before it is searched.
  const shown = text
    .slice(0, maxChars * 4)
    .toWellFormed()
    .replace(TERMINAL_SEQUENCES, "")
    .replace(CONTROL_CHARACTERS, "");
  return truncateWithEllipsis(shown, maxChars);
}

/** Forms of content besides text and files, each with the separator between its name and its details. */
const FORM_SEPARATORS = {
  button: ": ",
  card: ": ",
  checklist: ": ",
  contact: ": ",
  dice: " ",
  event: ": ",
  face: ":",
  folder: ": ",
  forwarded: " from ",
  game: ": ",
  gift: ": ",
  giveaway: ": ",
  invoice: ": ",
  json: ": ",
  location: " ",
  markdown: ": ",
  message: ": ",
  music: ": ",
  "paid files": ": ",
  place: ": ",
  poke: " ",
  poll: ": ",
  "red packet": ": ",
  "rock paper scissors": " ",
  share: ": ",
  "shared chat": ": ",
  "shared contact": ": ",
  shake: " ",
  sticker: " ",
  story: ": ",
  task: ": ",
  "video call": ": ",
  vote: ": ",
  xml: ": ",
} as const;

/** Kind of message content other than text and files. */
export type MessageForm = keyof typeof FORM_SEPARATORS;

const MAX_DETAILS = 1_000;
const MAX_QUOTE = 500;

/** Describes a message's content besides text and files, such as `[place: Cafe, Main St 1]`, in the same words on every channel. Omits missing details. */
export function formatContent(form: MessageForm, ...details: readonly unknown[]): string {
  const known = details.map(toOneLine).filter((detail) => detail !== "");
  return known.length === 0 ? `[${form}]` : `[${form}${FORM_SEPARATORS[form]}${known.join(" ").slice(0, MAX_DETAILS)}]`;
}

/** Returns a link as text: its address follows where people see only the text. */
export function formatLink(text: string, url: string): string {
  if (url === "" || text.trim() === url) return text;
  return text.trim() === "" ? url : `${text} (${url})`;
}

/** Returns a quoted message as lines that begin with `> `: its author and its first words. */
export function formatQuote(name: string, text: string): string {
  const line = name === "" ? text : `${name}: ${text}`;
  return text.trim() === "" ? "" : line.slice(0, MAX_QUOTE).toWellFormed().replaceAll(/^/gm, "> ");
}

/** Returns the text of a message that only mentions the bot. */
export function describeMention(name: string): string {
  return `(${name === "" ? "somebody" : name} mentions you)`;
}

/** Returns true when a text shows anything: more than blanks and zero-width characters. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

function toOneLine(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  return String(value).replaceAll(/\s+/g, " ").trim();
}

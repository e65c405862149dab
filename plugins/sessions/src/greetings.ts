import { type Message, newId, type Session, TIME_ZONE, withMacros } from "@parley/core";
import { now, type SessionParts, screened, tellMessage } from "./parts.ts";
import { newMessage } from "./rows.ts";

const MOST_NAME = 100;

/** What characters begin conversations with. */
export interface Greetings {
  /** Stores the first of them as the opening message. `by`: the account that opens the conversation. */
  greet(session: Session, by?: string): Promise<void>;
  /** All of them as they would be said in a session: the first message, and the others. */
  list(session: Session, by?: string): Promise<readonly string[]>;
  /** Whether a message is the opening of its session, and the text another opening: to choose it is no edit. */
  isSwipe(session: Session, message: Message, text: string): Promise<boolean>;
}

export function createGreetings(parts: SessionParts): Greetings {
  const { messages } = parts;
  const greet: Greetings["greet"] = async (session, by) => {
    if (session.first_message === "") return;
    const user = await userOf(parts, session, by);
    const text = greetingOf(session, session.first_message, { user, timeZone: parts.settings.get(TIME_ZONE) });
    const seen = await screened(parts, session, "ai", text, false);
    if (seen.blocked) return;
    const message = newMessage({
      id: newId("msg", parts.clock.now()),
      session_id: session.id,
      role: "assistant",
      content: seen.text,
      filtered: seen.filtered,
      filter_rule_count: seen.rules.length,
      sender: session.sender_name,
      character_id: session.character_id,
      timestamp: now(parts),
      metadata: { greeting: { user } },
    });
    tellMessage(parts, "new_message", (await messages.append(message, session.channel_id)).message);
  };
  const list: Greetings["list"] = async (session, by) => {
    const { character_id, first_message } = session;
    const character = character_id === null ? undefined : await parts.characters()?.find(character_id);
    const texts = [first_message, ...(character?.alternate_greetings ?? [])].filter((text) => text !== "");
    const opening = await openingOf(parts, session);
    const user = greetedOf(opening) ?? (await userOf(parts, session, by));
    const said = { user, timeZone: parts.settings.get(TIME_ZONE) };
    return [...new Set(texts.map((text) => greetingOf(session, text, said)))];
  };
  return {
    greet,
    list,
    async isSwipe(session, message, text) {
      if (!isOpening(message)) return false;
      return (await list(session, greetedOf(message))).includes(text);
    },
  };
}

interface Said {
  readonly user: string;
  readonly timeZone: string;
}

/** Opening words as they are said in a session: the same whenever they are asked for. */
function greetingOf({ id, sender_name, created_at }: Session, text: string, { user, timeZone }: Said): string {
  const at = Date.parse(created_at);
  const someone = SPOKEN_TO[/\p{Script=Han}/u.test(text) ? "zh" : "en"];
  const values = { user: user || someone, char: sender_name || someone, seed: id, conversation: id, at, timeZone };
  return withMacros(text, values);
}

/** Whoever has no name. */
const SPOKEN_TO = { en: "you", zh: "你" } as const;

/** The name of whoever is greeted: of the person of a channel as the platform has it, else of the account. */
async function userOf({ messages }: SessionParts, session: Session, by = ""): Promise<string> {
  const name = session.channel_id === "web" ? by : ((await lastPerson(messages, session)) ?? session.name);
  return name.replaceAll(/\s+/g, " ").trim().slice(0, MOST_NAME);
}

async function lastPerson(messages: SessionParts["messages"], session: Session): Promise<string | undefined> {
  const recent = await messages.history(session, 50);
  return recent.findLast(
    ({ role, source, sender }) => role === "user" && source === session.channel_id && sender !== "",
  )?.sender;
}

/** The opening words, for as long as nobody has answered them. */
async function openingOf({ messages }: SessionParts, { id }: Session): Promise<Message | undefined> {
  const last = await messages.last(id, "live");
  return last && isOpening(last) ? last : undefined;
}

function isOpening({ role, trace_id, kind, metadata }: Message): boolean {
  return role === "assistant" && trace_id === null && kind === "normal" && metadata.greeting !== undefined;
}

/** Whom an opening message greets. */
function greetedOf(message: Message | undefined): string | undefined {
  const { user } = (message?.metadata.greeting ?? {}) as { readonly user?: unknown };
  return typeof user === "string" ? user : undefined;
}

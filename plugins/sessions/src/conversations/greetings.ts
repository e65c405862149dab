import { type Message, newId, type Session, TIME_ZONE, userOf, webUser } from "@parley/core";
import { expandMacros } from "@parley/core/characters";
import { applyFilter, now, publishMessage, type SessionDeps } from "../session-deps.ts";
import { newMessage } from "../store/rows.ts";

const MAX_NAME_LENGTH = 100;

/** Renders and stores the greetings of characters. */
export interface Greetings {
  /** Stores the character's first greeting as the opening message. `by` is the account that opens the conversation. */
  greet(session: Session, by?: string): Promise<void>;
  /** Returns all greetings as rendered for the session: the first message, then the alternatives. */
  list(session: Session, by?: string): Promise<readonly string[]>;
  /** True when the message is the greeting and the text another greeting of the session: choosing it is not an edit. */
  isSwipe(session: Session, message: Message, text: string): Promise<boolean>;
}

export function createGreetings(deps: SessionDeps): Greetings {
  const { messages } = deps;
  const greet: Greetings["greet"] = async (session, by) => {
    if (session.first_message === "") return;
    const user = await findGreetedName(deps, session, by);
    const context = { user, char: await findCharName(deps, session), timeZone: deps.settings.get(TIME_ZONE) };
    const text = renderGreeting(session, session.first_message, context);
    const filterResult = await applyFilter(deps, session, "ai", text, false);
    if (filterResult.blocked) return;
    const message = newMessage({
      id: newId("msg", deps.clock.now()),
      session_id: session.id,
      role: "assistant",
      content: filterResult.text,
      filtered: filterResult.filtered,
      filter_rule_count: filterResult.rules.length,
      sender: session.sender_name,
      character_id: session.character_id,
      timestamp: now(deps),
      metadata: { greeting: { user } },
    });
    publishMessage(deps, "new_message", (await messages.append(message, session.channel_id)).message);
  };
  const list: Greetings["list"] = async (session, by) => {
    const { character_id, first_message } = session;
    const character = character_id === null ? undefined : await deps.characters()?.find(character_id);
    const texts = [first_message, ...(character?.alternate_greetings ?? [])].filter((text) => text !== "");
    const opening = await findOpening(deps, session);
    const user = readGreetedName(opening) ?? (await findGreetedName(deps, session, by));
    const context = { user, char: await findCharName(deps, session), timeZone: deps.settings.get(TIME_ZONE) };
    return [...new Set(texts.map((text) => renderGreeting(session, text, context)))];
  };
  return {
    greet,
    list,
    async isSwipe(session, message, text) {
      if (!isOpening(message)) return false;
      return (await list(session, readGreetedName(message))).includes(text);
    },
  };
}

interface GreetingContext {
  readonly user: string;
  readonly char: string;
  readonly timeZone: string;
}

/** Renders a greeting for a session; the result is always the same. */
function renderGreeting({ id, created_at }: Session, text: string, { user, char, timeZone }: GreetingContext): string {
  const at = Date.parse(created_at);
  const defaultName = DEFAULT_NAMES[/\p{Script=Han}/u.test(text) ? "zh" : "en"];
  const values = {
    user: user || defaultName,
    char: char || defaultName,
    seed: id,
    conversation: id,
    at,
    timeZone,
  };
  return expandMacros(text, values);
}

/** Names for people whose name is not known. */
const DEFAULT_NAMES = { en: "you", zh: "你" } as const;

/** Returns the name with which to greet: that of the persona, else of the person on the platform or the account. */
async function findGreetedName({ messages, personas }: SessionDeps, session: Session, by = ""): Promise<string> {
  const { channel_id, user_id, persona_id } = session;
  const person = channel_id === "web" ? webUser(by) : user_id === null ? undefined : userOf(channel_id, user_id);
  const persona = await personas()?.findFor({ personaId: persona_id, person });
  if (persona) return persona.name;
  const name = session.channel_id === "web" ? by : ((await findLastSender(messages, session)) ?? session.name);
  return name.replaceAll(/\s+/g, " ").trim().slice(0, MAX_NAME_LENGTH);
}

/** Returns the name by which a character calls itself: its other name, else the one of the conversation. */
async function findCharName({ characters }: SessionDeps, { character_id, sender_name }: Session): Promise<string> {
  const faces = character_id === null ? undefined : await characters()?.faces([character_id]);
  return faces?.get(character_id ?? "")?.nickname ?? sender_name;
}

async function findLastSender(messages: SessionDeps["messages"], session: Session): Promise<string | undefined> {
  const recent = await messages.history(session, 50);
  return recent.findLast(
    ({ role, source, sender }) => role === "user" && source === session.channel_id && sender !== "",
  )?.sender;
}

/** Returns the opening message if it has no reply yet. */
async function findOpening({ messages }: SessionDeps, { id }: Session): Promise<Message | undefined> {
  const last = await messages.last(id, "live");
  return last && isOpening(last) ? last : undefined;
}

function isOpening({ role, trace_id, kind, metadata }: Message): boolean {
  return role === "assistant" && trace_id === null && kind === "normal" && metadata.greeting !== undefined;
}

/** Returns the name for which a greeting was rendered. */
function readGreetedName(message: Message | undefined): string | undefined {
  const { user } = (message?.metadata.greeting ?? {}) as { readonly user?: unknown };
  return typeof user === "string" ? user : undefined;
}

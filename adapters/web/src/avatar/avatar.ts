import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import Joi from "@hapi/joi";
import {
  AppError,
  type Caller,
  type Channels,
  type Clock,
  type ConfirmableTools,
  DATA_BLOCK_RULE,
  deadline,
  FILTER_NOTICE,
  hasScope,
  inLanguage,
  type MessageFilter,
  type ModelAnswer,
  type ModelCalls,
  type ModelQuestion,
  type Models,
  modelError,
  type Sessions,
  type Settings,
  type SharedWindow,
  toDataBlock,
  toSharedError,
} from "@parley/core";
import { truncateWithEllipsis as truncate } from "@parley/core/channels";
import { parseJsonObject } from "@parley/core/json";
import { webTexts } from "../texts.ts";
import type { AvatarHistory } from "./history.ts";
import { AVATAR_ENABLED, type CommentBody, type MenuBody, type TalkBody } from "./schema.ts";
import { toOneLine } from "./text.ts";

export const RATE_WINDOW_MS = 60_000;
const MAX_REQUESTS_PER_MINUTE = 20;
const ANSWER_TIMEOUT_MS = 30_000;
/** Maximum wait for a menu's proposals. */
const MENU_TIMEOUT_MS = 8_000;
const DAY_MS = 86_400_000;
const MAX_HISTORY_MESSAGES = 20;
const MAX_SESSION_MESSAGES = 20;
const MAX_MESSAGE_CHARS = 1_000;
const MAX_TALK_CHARS = 100;
const MAX_GREETING_CHARS = 60;
const MAX_OPTION_CHARS = 20;

const SYSTEM_PROMPT = `You are the small companion in a corner of the console of a chat-bot service: warm, a little playful, never in the way.
Answer in the language you are spoken to, in one or two short sentences, at most ${MAX_TALK_CHARS} characters, as plain text.
${DATA_BLOCK_RULE}`;

function toConsoleBlock(value: object): string {
  return toDataBlock("console", JSON.stringify(value));
}

const menuSchema = Joi.object<{ greeting: string; options: readonly string[] }>({
  greeting: Joi.string().max(200).required(),
  options: Joi.array().items(Joi.string().max(200)).max(8).required(),
});
export interface AvatarDeps {
  readonly history: AvatarHistory;
  readonly settings: Pick<Settings, "get">;
  readonly calls: () => ModelCalls | undefined;
  readonly models: () => Models | undefined;
  readonly filter: () => MessageFilter | undefined;
  readonly sessions: () => Sessions;
  readonly channels: () => Channels | undefined;
  readonly getRequestedTools: () => ConfirmableTools | undefined;
  readonly clock: Clock;
  /** The shared window that counts requests to the companion. */
  readonly requestWindow: () => SharedWindow;
}

export interface Pending {
  readonly tool: string;
  readonly arguments: unknown;
  readonly confirm_id: string;
}

interface Menu {
  readonly greeting: string;
  readonly options: readonly string[];
}

/** The companion of the console. Everything throws `unavailable` while it is switched off. */
export interface Avatar {
  talk(
    body: TalkBody,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ readonly message: string; readonly status: object; readonly pending: Pending | null }>;
  menu(body: MenuBody, caller: Caller, language: string, signal: AbortSignal): Promise<Menu>;
  comment(body: CommentBody, caller: Caller, signal: AbortSignal): Promise<{ readonly message: string | null }>;
  /** The chat history; available while the plugin runs. */
  readonly history: () => AvatarHistory;
}

export function createAvatar(deps: AvatarDeps): Avatar {
  const { settings, calls, models, filter, sessions, channels, getRequestedTools, clock, history, requestWindow } =
    deps;
  const checkEnabled = () => {
    if (!settings.get(AVATAR_ENABLED)) throw webTexts.error("unavailable", "avatar_off");
  };
  const checkRate = async (what: "talk" | "comment", { kind, accountId, credentialId }: Caller) => {
    // A program with an API key must not use up the quota of its owner.
    const who = kind === "api_key" ? credentialId : accountId;
    const waitMs = await requestWindow().use(`${what} ${who}`, MAX_REQUESTS_PER_MINUTE);
    if (waitMs === 0) return;
    const retryAfterS = Math.ceil(waitMs / 1000);
    throw toSharedError("rate_limited", "too_many_a_minute", { most: MAX_REQUESTS_PER_MINUTE }, { retryAfterS });
  };
  /** Returns the model calls; throws `unavailable` without a chat model, and when it is the offline companion. */
  const requireModelCalls = async () => {
    const chosen = await models()?.choose("chat");
    const modelCalls = calls();
    if (!modelCalls || !chosen || chosen.protocol === "offline") throw webTexts.error("unavailable", "no_model");
    return modelCalls;
  };
  const askModel = async <Value>(
    question: Omit<ModelQuestion<Value>, "purpose" | "signal">,
    ms: number,
    callerSignal: AbortSignal,
  ): Promise<ModelAnswer<Value>> => {
    const modelCalls = await requireModelCalls();
    using limit = deadline(ms, callerSignal);
    const answer = await modelCalls.ask({ ...question, purpose: "chat", signal: limit.signal }).answer;
    callerSignal.throwIfAborted();
    if (limit.signal.aborted) throw webTexts.error("timed_out", "avatar_late", { seconds: ms / 1000 });
    if (answer.failure) throw modelError(answer.failure);
    return answer;
  };
  /** Filters a text; "" where a rule blocks it. */
  const filterText = async (text: string, target: "user" | "ai", accountId: string): Promise<string> => {
    const request = { text, target, sessionId: `avatar:${accountId}`, channelId: "web", hasAttachments: false };
    const seen = await filter()?.apply(request);
    if (!seen) return text;
    return seen.blocked ? "" : seen.text;
  };
  const readStatus = async (accountId: string) => {
    const [last] = (await history.page(accountId, { limit: 1, offset: 0 })).items;
    const since = last?.timestamp ?? new Date(clock.now() - DAY_MS).toISOString();
    const [all, unread, chosen] = await Promise.all([
      sessions().activeSince(new Date(0).toISOString()),
      sessions().activeSince(since),
      models()?.choose("chat"),
    ]);
    const list = channels();
    const down = (list?.list() ?? []).filter(({ id, enabled }) => enabled && list?.status(id).state === "error");
    return { sessions: all, unread, model: chosen?.label ?? null, channels_down: down.length };
  };
  const readHistory = async (accountId: string): Promise<LanguageModelV4Prompt> => {
    const { items } = await history.page(accountId, { limit: MAX_HISTORY_MESSAGES, offset: 0 });
    return items.map(({ role, content }) => ({ role, content: [{ type: "text", text: content }] }));
  };

  return {
    history() {
      checkEnabled();
      return history;
    },
    async talk({ topic = "", frontend = {}, avatar = {} }, caller, signal) {
      checkEnabled();
      const { accountId, username } = caller;
      await requireModelCalls();
      await checkRate("talk", caller);
      const status = await readStatus(accountId);
      const words = topic.trim() === "" ? "" : await filterText(topic.trim(), "user", accountId);
      if (topic.trim() !== "" && words === "") return { message: FILTER_NOTICE, status, pending: null };
      // Tools are only for administrators, who may make the same changes manually.
      const tools = hasScope(caller, "admin") ? getRequestedTools() : undefined;
      const question = words || "(Nobody said anything: say something small that suits the moment.)";
      const answer = await askModel(
        {
          user: username,
          tools: tools?.offered() ?? [],
          parameters: { maxTokens: 300 },
          messages: [
            { role: "system", content: `${SYSTEM_PROMPT}\n${toConsoleBlock({ status, page: frontend, you: avatar })}` },
            ...(await readHistory(accountId)),
            { role: "user", content: [{ type: "text", text: question }] },
          ],
        },
        ANSWER_TIMEOUT_MS,
        signal,
      );
      const [call] = answer.toolCalls;
      const args = call && parseJsonObject(call.input || "{}");
      const pending = call && args && tools ? tools.open(accountId, call.name, args) : undefined;
      const spoken = answer.text.trim() === "" && call ? `${call.name}?` : answer.text;
      const message = truncate(await filterText(toOneLine(spoken), "ai", accountId), MAX_TALK_CHARS);
      const entries = [
        ...(words === "" ? [] : [{ role: "user" as const, content: words }]),
        ...(message === "" ? [] : [{ role: "assistant" as const, content: message }]),
      ];
      if (entries.length > 0) await history.add(accountId, entries);
      const waits = pending && call ? { tool: call.name, arguments: args, confirm_id: pending.confirm_id } : null;
      return { message, status, pending: waits };
    },
    async menu({ frontend = {}, avatar = {} }, { accountId, username }, language, signal) {
      checkEnabled();
      const fixed = toFixedMenu(language);
      try {
        const task = `Greet the person in at most ${MAX_GREETING_CHARS} characters and offer at most 4 things they may say to you, each of at most ${MAX_OPTION_CHARS} characters. Language: ${language}.`;
        const { value } = await askModel(
          {
            user: username,
            schema: menuSchema,
            isOnce: true,
            messages: [
              { role: "system", content: `${SYSTEM_PROMPT}\n${task}` },
              { role: "user", content: [{ type: "text", text: toConsoleBlock({ page: frontend, you: avatar }) }] },
            ],
          },
          MENU_TIMEOUT_MS,
          signal,
        );
        const menu = value && (await cleanMenu(value, (line) => filterText(line, "ai", accountId)));
        return menu ?? fixed;
      } catch (error) {
        signal.throwIfAborted();
        if (AppError.is(error)) return fixed;
        throw error;
      }
    },
    async comment({ recent_messages, session_id }, caller, signal) {
      checkEnabled();
      const recent = recent_messages ?? (await readRecentMessages(sessions(), session_id ?? ""));
      await requireModelCalls();
      await checkRate("comment", caller);
      const talk = recent.map(({ role, content }) => `${role}: ${content.slice(0, MAX_MESSAGE_CHARS)}`).join("\n");
      const task = "You look over the person's shoulder at a conversation. Say one thing about it, or exactly NOTHING.";
      const { text } = await askModel(
        {
          user: caller.username,
          session: session_id ?? null,
          parameters: { maxTokens: 200 },
          messages: [
            { role: "system", content: `${SYSTEM_PROMPT}\n${task}` },
            { role: "user", content: [{ type: "text", text: toDataBlock("conversation", talk) }] },
          ],
        },
        ANSWER_TIMEOUT_MS,
        signal,
      );
      const words = toOneLine(text);
      if (words === "" || /^NOTHING\W*$/i.test(words)) return { message: null };
      const message = truncate(await filterText(words, "ai", caller.accountId), MAX_TALK_CHARS);
      return { message: message === "" ? null : message };
    },
  };
}

async function readRecentMessages(
  sessions: Sessions,
  sessionId: string,
): Promise<NonNullable<CommentBody["recent_messages"]>> {
  const { id } = await sessions.get(sessionId);
  const { items } = await sessions.messages(id, { order: "desc", limit: MAX_SESSION_MESSAGES, offset: 0 });
  return items.filter(({ hidden, kind }) => !hidden && kind === "normal").toReversed();
}

/** Filters and shortens a menu that the model wrote; undefined when no greeting or no option is left. */
async function cleanMenu(menu: Menu, filterLine: (line: string) => Promise<string>): Promise<Menu | undefined> {
  const greeting = truncate(await filterLine(toOneLine(menu.greeting)), MAX_GREETING_CHARS);
  const filtered = await Promise.all(menu.options.map((option) => filterLine(toOneLine(option))));
  const options = filtered.map((option) => truncate(option, MAX_OPTION_CHARS)).filter((option) => option !== "");
  return greeting === "" || options.length === 0 ? undefined : { greeting, options: options.slice(0, 4) };
}

/** Returns the menu that is shown without a model. */
function toFixedMenu(language: string): Menu {
  const text = (key: "avatar_greeting" | "avatar_status" | "avatar_tell" | "avatar_cheer") =>
    inLanguage(webTexts.localized(key), language);
  return {
    greeting: text("avatar_greeting"),
    options: [text("avatar_status"), text("avatar_tell"), text("avatar_cheer")],
  };
}

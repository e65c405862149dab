import {
  type AnsweringModel,
  deadline,
  type Logger,
  type ModelCalls,
  type Sessions,
  type Turn,
  toDataBlock,
} from "@parley/core";
import { truncate } from "@parley/core/channels";

const DEFAULT_NAME = "New session";
const MAX_TITLE_CHARS = 40;
const MAX_EXCERPT_CHARS = 1000;
const TITLE_TOKENS = 200;
const TIMEOUT_MS = 30_000;
const MAX_RUNNING = 4;

const INSTRUCTION = `Give the conversation in the data block a title of at most six words, in its own language.
Answer with the title alone, without quotes and without a full stop.`;

/** Names sessions after their first answer, in the background. */
export interface SessionTitles extends AsyncDisposable {
  /** Names the session in the background and returns at once; on failure the title is taken from the user's message. */
  nameFromReply(turn: Turn, reply: string, model: AnsweringModel): void;
  /** Names a session after the user's message, for a turn without a complete answer. */
  nameFromQuestion(turn: Turn): void;
  /** Resolves when all requested titles are set. */
  waitUntilIdle(): Promise<void>;
}

export interface SessionTitlesDeps {
  readonly sessions: Pick<Sessions, "nameAutomatically">;
  readonly calls: Pick<ModelCalls, "ask">;
  readonly log: Logger;
  readonly isEnabled: boolean;
}

export function createSessionTitles({ sessions, calls, log, isEnabled }: SessionTitlesDeps): SessionTitles {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const startNaming = (turn: Turn, answered: (asked: string) => Promise<string>) => {
    const { id, type, name: current } = turn.session;
    const asked = findFirstUserText(turn);
    const isWanted = isEnabled && type === "web" && current === DEFAULT_NAME && asked !== "";
    if (!isWanted || running.has(id) || running.size >= MAX_RUNNING) return;
    const task = answered(asked)
      .then((title) =>
        stopping.signal.aborted ? undefined : sessions.nameAutomatically(id, title || shortenTitle(asked)),
      )
      .catch((error: unknown) => log.warn("the session could not be named", { session: id, error }))
      .finally(() => running.delete(id));
    running.set(id, task);
  };

  const askForTitle = async (asked: string, reply: string, turn: Turn): Promise<string> => {
    const excerpt = `User: ${asked.slice(0, MAX_EXCERPT_CHARS)}\nAnswer: ${reply.slice(0, MAX_EXCERPT_CHARS)}`;
    using limit = deadline(TIMEOUT_MS, stopping.signal);
    const call = calls.ask({
      purpose: "chat",
      messages: [
        { role: "system", content: INSTRUCTION },
        { role: "user", content: [{ type: "text", text: toDataBlock("conversation", excerpt) }] },
      ],
      parameters: { maxTokens: TITLE_TOKENS },
      isOnce: true,
      session: turn.session.id,
      sessionModelId: turn.session.model_id,
      traceId: turn.traceId,
      signal: limit.signal,
    });
    const answer = await call.answer;
    if (answer.failure)
      log.warn("the model gave no title", { session: turn.session.id, reason: answer.failure.detail });
    return shortenTitle(answer.text);
  };

  return {
    nameFromReply: (turn, reply, { protocol }) =>
      startNaming(turn, async (asked) => (protocol === "offline" ? "" : askForTitle(asked, reply, turn))),
    nameFromQuestion: (turn) => startNaming(turn, async () => ""),
    async waitUntilIdle() {
      await Promise.all(running.values());
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

function findFirstUserText({ history, text }: Turn): string {
  const first = history.find(({ role, kind, content }) => role === "user" && kind === "normal" && content !== "");
  return (first?.content ?? text).trim();
}

/** Shortens a title to one line of at most 40 characters, cut at a word if possible. */
function shortenTitle(text: string): string {
  const line = text
    .trim()
    .replace(/^["'“”「《#*\s]+|["'“”」》*.。\s]+$/g, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line.length <= MAX_TITLE_CHARS) return line;
  const cut = truncate(line, MAX_TITLE_CHARS - 1);
  return `${cut.replace(/\s+\S*$/, "") || cut}…`;
}

import {
  type Clock,
  type ConfirmationAnswer,
  explainedAs,
  type Gateway,
  inLanguage,
  type Language,
  type LiveEvents,
  type Localized,
  type Logger,
  languageOf,
  newId,
  notFound,
  platformConversationOf,
  type Redaction,
  resourceChanged,
  type Session,
  type ToolConfirmations,
} from "@parley/core";
import { maskSecrets } from "./mask-secrets.ts";
import type { QuestionNews, QuestionsElsewhere } from "./questions-elsewhere.ts";
import type { AuditedCall } from "./tool-audit.ts";
import type { AskPerson } from "./tool-guard.ts";

const OPEN_MS = 120_000;
const MAX_SUMMARY = 500;

export interface ConfirmationsParts {
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly log: Logger;
  /** Where people of a platform are asked. */
  readonly gateway: () => Pick<Gateway, "deliver"> | undefined;
  readonly session: (id: string) => Promise<Session | undefined>;
  /** What other processes ask, and are asked. */
  readonly elsewhere: QuestionsElsewhere;
}

/** Asks the people of a conversation before a model of ours does what cannot be undone. */
export interface Confirmations extends ToolConfirmations {
  readonly ask: AskPerson;
  /** Oldest first. */
  open(): readonly OpenQuestion[];
  /** Answers one by its id; refusals as those of `answer`. */
  answerOne(requestId: string, approved: boolean, by: ConfirmationAnswer["by"]): { readonly approved: boolean };
  /** Heeds what is asked and answered at other processes; returns the end of it. */
  follow(): () => void;
}

/** What waits for the word of a person. */
export interface OpenQuestion {
  readonly id: string;
  readonly session_id: string;
  readonly tool: string;
  /** The call with its arguments, secrets masked. */
  readonly summary: string;
  readonly expires_at: string;
}

const questionOf = (summary: string): Localized => ({
  en: `May I do this? ${summary}\nAnswer /confirm or /deny within ${OPEN_MS / 1000} seconds.`,
  zh: `是否允许执行？${summary}\n请在 ${OPEN_MS / 1000} 秒内回复 /confirm（允许）或 /deny（拒绝）。`,
});

const nothingAsked = () =>
  explainedAs("not_found", "tools.nothing_asked", {
    en: "nothing is waiting for approval here",
    zh: "这里没有等待确认的操作",
  });
const noPerson = () =>
  explainedAs("permission_denied", "tools.no_person", {
    en: "a person is asked: an API key cannot answer, sign in",
    zh: "须由本人确认：API 密钥无法作答，请登录",
  });
const notTheirs = () =>
  explainedAs("permission_denied", "tools.not_theirs", {
    en: "only the person who asked for it, or an administrator, may answer",
    zh: "仅限提出请求的人或管理员作答",
  });

function spokenIn({ context: { inbound } }: AuditedCall): Language {
  return inbound ? languageOf(inbound) : "en";
}

interface Question {
  readonly id: string;
  readonly shown: OpenQuestion;
  readonly sessionId: string;
  readonly askerId: string;
  readonly settle: (by: string | undefined) => void;
  /** This process asks. */
  readonly isHere: boolean;
}

export function createConfirmations({
  events,
  clock,
  redaction,
  log,
  gateway,
  session,
  elsewhere,
}: ConfirmationsParts): Confirmations {
  const questions = new Map<string, Question>();
  /** Of a process that is gone nobody hears that a question is over. */
  const open = () => [...questions.values()].filter(({ shown }) => Date.parse(shown.expires_at) > clock.now());
  const heard = (news: QuestionNews) => {
    if (news.what === "over") return void questions.delete(news.id);
    if (news.what === "answered") {
      const question = questions.get(news.id);
      questions.delete(news.id);
      if (question?.isHere) question.settle(news.by ?? undefined);
      return;
    }
    const { shown, askerId } = news;
    const { id, session_id: sessionId } = shown;
    const settle = (by: string | undefined) => elsewhere.tell({ what: "answered", id, by: by ?? null });
    questions.set(id, { id, shown, sessionId, askerId, settle, isHere: false });
  };

  const summaryOf = ({ tool, args }: AuditedCall) =>
    `${tool.name} ${JSON.stringify(maskSecrets(args, redaction))}`.slice(0, MAX_SUMMARY);
  const tellPlatform = async (sessionId: string, summary: string, language: Language) => {
    const found = await session(sessionId);
    const place = found && platformConversationOf(found);
    if (!place) return;
    await gateway()?.deliver({
      ...place,
      text: inLanguage(questionOf(summary), language),
      attachments: [],
    });
  };

  const answer: ToolConfirmations["answer"] = ({ sessionId, requestId, approved, by }) => {
    const ofSession = open().filter((one) => one.sessionId === sessionId);
    const question = requestId === undefined ? ofSession.at(-1) : ofSession.find(({ id }) => id === requestId);
    if (!question) throw requestId === undefined ? nothingAsked() : notFound("open question", requestId);
    if (by.isProgram) throw noPerson();
    if (question.askerId !== by.id && !by.isAdmin) throw notTheirs();
    questions.delete(question.id);
    question.settle(approved ? by.id : undefined);
    return { request_id: question.id, approved };
  };

  return {
    async ask(call) {
      const { sessionId, callerId, signal, isOperatorOnly = false } = call.context;
      if (sessionId === undefined) return undefined;
      const id = newId("req", clock.now());
      const summary = summaryOf(call);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const timer = setTimeout(() => resolve(undefined), OPEN_MS);
      const abort = () => resolve(undefined);
      signal.addEventListener("abort", abort, { once: true });
      const expires_at = new Date(clock.now() + OPEN_MS).toISOString();
      const shown = { id, session_id: sessionId, tool: call.tool.name, summary, expires_at };
      questions.set(id, { id, shown, sessionId, askerId: callerId, settle: resolve, isHere: true });
      elsewhere.tell({ what: "asked", shown, askerId: callerId });
      events.publish(resourceChanged("confirmation", id, "created"));
      const payload = { request_id: id, tool: call.tool.name, summary, expires_at };
      events.publish({ type: "exec_confirm_request", session_id: sessionId, durable: true, payload });
      try {
        if (!isOperatorOnly) {
          await tellPlatform(sessionId, summary, spokenIn(call)).catch((error: unknown) =>
            log.warn("a person could not be asked on the platform", { error, traceId: call.context.traceId }),
          );
        }
        const by = await promise;
        const result = { request_id: id, approved: by !== undefined, by: by ?? null };
        events.publish({ type: "exec_confirm_result", session_id: sessionId, durable: true, payload: result });
        signal.throwIfAborted();
        return by;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        questions.delete(id);
        elsewhere.tell({ what: "over", id });
        events.publish(resourceChanged("confirmation", id, "deleted"));
      }
    },
    open: () => open().map(({ shown }) => shown),
    follow: () => elsewhere.listen(heard),
    answer,
    answerOne(requestId, approved, by) {
      const question = questions.get(requestId);
      if (!question) throw notFound("open question", requestId);
      return answer({ sessionId: question.sessionId, requestId, approved, by });
    },
  };
}

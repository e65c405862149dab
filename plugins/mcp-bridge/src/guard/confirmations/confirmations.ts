import {
  actorIdOf,
  BY_SERVICE,
  type Clock,
  type ConfirmationAnswer,
  type Gateway,
  inLanguage,
  type LiveEvents,
  type Localized,
  type Logger,
  newId,
  notFound,
  type Redaction,
  resourceChanged,
  type Session,
  senderLanguage,
  type ToolConfirmations,
  toActorKey,
  toPlatformConversation,
} from "@parley/core";
import { maskSecrets } from "@parley/core/secrets";
import type { Broadcast } from "@parley/core/storage";
import { mcpBridgeTexts } from "../../texts.ts";
import type { AuditedCall } from "../tool-audit.ts";
import type { AskPerson } from "../tool-guard.ts";
import { createApprovalButtons, createApprovalRules } from "./approval-buttons.ts";
import type { Asker, OpenQuestion } from "./open-question.ts";
import { type QuestionEvent, shortenEvent } from "./remote-questions.ts";

const CONFIRMATION_TTL_MS = 120_000;
const MAX_SUMMARY = 500;

export interface ConfirmationsDeps {
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly log: Logger;
  /** Returns the gateway that delivers questions to people on a platform. */
  readonly gateway: () => Pick<Gateway, "deliver"> | undefined;
  readonly session: (id: string) => Promise<Session | undefined>;
  /** Events of questions to and from other processes: a person may answer at any of them, and the process that asked receives the answer. */
  readonly remoteQuestions: Broadcast<QuestionEvent>;
}

/** Asks people of a conversation before our model runs an irreversible call. */
export interface Confirmations extends ToolConfirmations {
  readonly ask: AskPerson;
  /** Returns the open confirmations, oldest first. */
  open(): readonly OpenQuestion[];
  /** Throws what `answer` would throw, and answers nothing. */
  check(answer: ConfirmationAnswer): void;
  /** Answers a confirmation by id; throws like `answer`. */
  answerById(requestId: string, approved: boolean, by: ConfirmationAnswer["by"]): { readonly approved: boolean };
  /** Follows questions and answers of other processes; returns the unsubscribe function. */
  follow(): () => void;
}

const CONFIRMATION_TTL_S = CONFIRMATION_TTL_MS / 1000;
const toQuestionText = (summary: string): Localized =>
  mcpBridgeTexts.localized("ask_person", { summary, seconds: CONFIRMATION_TTL_S });

const toAdminQuestionText = (summary: string): Localized =>
  mcpBridgeTexts.localized("ask_administrator", { summary, seconds: CONFIRMATION_TTL_S });

const createNothingAskedError = () => mcpBridgeTexts.error("not_found", "nothing_asked");
const createNoPersonError = () => mcpBridgeTexts.error("permission_denied", "no_person");
const createAdministratorsOnlyError = () => mcpBridgeTexts.error("permission_denied", "only_administrators");
const createNotTheirsError = () => mcpBridgeTexts.error("permission_denied", "not_theirs");

function getCallLanguage({ context: { inbound } }: AuditedCall): string {
  return inbound ? senderLanguage(inbound) : "en";
}

interface Question {
  readonly id: string;
  readonly view: OpenQuestion;
  readonly sessionId: string;
  readonly asker: Asker;
  readonly settle: (by: string | undefined) => void;
  /** True when the question was asked by this process. */
  readonly isHere: boolean;
}

export function createConfirmations(deps: ConfirmationsDeps): Confirmations {
  const { events, clock, redaction, log, gateway, session, remoteQuestions } = deps;
  const questions = new Map<string, Question>();
  /** Returns the open confirmations; expired ones are filtered because an ended process does not announce their end. */
  const open = () => [...questions.values()].filter(({ view }) => Date.parse(view.expires_at) > clock.now());
  const onRemoteEvent = (event: QuestionEvent) => {
    if (event.what === "over") return void questions.delete(event.id);
    if (event.what === "answered") {
      const question = questions.get(event.id);
      questions.delete(event.id);
      if (question?.isHere) question.settle(event.by ?? undefined);
      return;
    }
    const { shown, asker } = event;
    const { id, session_id: sessionId } = shown;
    const settle = (by: string | undefined) => remoteQuestions.send({ what: "answered", id, by: by ?? null });
    questions.set(id, { id, view: shown, sessionId, asker, settle, isHere: false });
  };

  const summarizeCall = ({ tool, args }: AuditedCall) =>
    `${tool.name} ${JSON.stringify(maskSecrets(args, redaction))}`.slice(0, MAX_SUMMARY);
  const askOnPlatform = async (sessionId: string, requestId: string, question: Localized, language: string) => {
    const found = await session(sessionId);
    const place = found && toPlatformConversation(found);
    if (!place) return;
    await gateway()?.deliver({
      ...place,
      text: inLanguage(question, language),
      attachments: [],
      elements: [createApprovalButtons(language)],
      press: createApprovalRules(requestId, CONFIRMATION_TTL_S),
      order: BY_SERVICE,
    });
  };

  const answer: ToolConfirmations["answer"] = (given) => {
    const question = findAnswered(open(), given);
    const { approved, by } = given;
    questions.delete(question.id);
    question.settle(approved ? actorIdOf(by) : undefined);
    return { request_id: question.id, approved };
  };

  return {
    async ask(call) {
      const { sessionId, signal, isOperatorOnly = false } = call.context;
      if (sessionId === undefined) return undefined;
      const id = newId("req", clock.now());
      const summary = summarizeCall(call);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const timer = setTimeout(() => resolve(undefined), CONFIRMATION_TTL_MS);
      const abort = () => resolve(undefined);
      signal.addEventListener("abort", abort, { once: true });
      const expires_at = new Date(clock.now() + CONFIRMATION_TTL_MS).toISOString();
      const shown = { id, session_id: sessionId, tool: call.tool.name, summary, expires_at };
      const asker = toAsker(call);
      questions.set(id, { id, view: shown, sessionId, asker, settle: resolve, isHere: true });
      remoteQuestions.send(shortenEvent({ what: "asked", shown, asker }));
      events.publish(resourceChanged("confirmation", id, "created"));
      const payload = { request_id: id, tool: call.tool.name, summary, expires_at };
      events.publish({ type: "exec_confirm_request", session_id: sessionId, durable: true, payload });
      try {
        if (!isOperatorOnly) {
          const question = (asker.isStranger ? toAdminQuestionText : toQuestionText)(summary);
          await askOnPlatform(sessionId, id, question, getCallLanguage(call)).catch((error: unknown) =>
            log.warn("a question could not be sent to a person on the platform", {
              error,
              traceId: call.context.traceId,
            }),
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
        remoteQuestions.send({ what: "over", id });
        events.publish(resourceChanged("confirmation", id, "deleted"));
      }
    },
    open: () => open().map(({ view }) => view),
    follow: () => remoteQuestions.listen(onRemoteEvent),
    answer,
    check: (given) => void findAnswered(open(), given),
    isAsking: (sessionId) => open().some((one) => one.sessionId === sessionId),
    refuseOpen(sessionId) {
      for (const question of open().filter((one) => one.sessionId === sessionId)) {
        questions.delete(question.id);
        question.settle(undefined);
      }
    },
    answerById(requestId, approved, by) {
      const question = questions.get(requestId);
      if (!question) throw notFound("open question", requestId);
      return answer({ sessionId: question.sessionId, requestId, approved, by });
    },
  };
}

/** Returns the question of an answer; throws when it is not open, or not for this person to answer. */
function findAnswered(open: readonly Question[], { sessionId, requestId, approved, by }: ConfirmationAnswer): Question {
  const inSession = open.filter((one) => one.sessionId === sessionId);
  const question = requestId === undefined ? inSession.at(-1) : inSession.find(({ id }) => id === requestId);
  if (!question) throw requestId === undefined ? createNothingAskedError() : notFound("open question", requestId);
  rejectOtherPeople(question.asker, by, approved);
  return question;
}

function toAsker({ tool, context: { inbound } }: AuditedCall): Asker {
  if (!inbound) return { key: null, isStranger: false };
  const { accountId, isAdmin } = inbound.sender;
  const isStranger = accountId === undefined && !isAdmin && tool.concernsAsker !== true;
  return { key: toActorKey(inbound.sender, inbound.channelId), isStranger };
}

function rejectOtherPeople(asker: Asker, by: ConfirmationAnswer["by"], approved: boolean): void {
  if (by.isProgram) throw createNoPersonError();
  if (by.isAdmin) return;
  if (asker.isStranger && approved) throw createAdministratorsOnlyError();
  if (asker.key !== toActorKey(by, by.channelId)) throw createNotTheirsError();
}

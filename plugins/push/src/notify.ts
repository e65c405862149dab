import {
  AppError,
  collectWrites,
  type Database,
  type Effect,
  type Jobs,
  type LiveEvent,
  type Logger,
  localizeMessage,
  notifyApplied,
  type Presence,
  type Session,
  type Sessions,
  type TurnStage,
} from "@parley/core";
import type { NoticeContent, NoticeStore } from "./notices.ts";
import { SEND_JOB, type SendJobData } from "./send-job.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface NotifyDeps {
  readonly notices: NoticeStore;
  readonly subscriptions: Pick<Subscriptions, "existence" | "hasSubscribers">;
  readonly presence: () => Presence | undefined;
  readonly jobs: () => Jobs | undefined;
  readonly database: () => Database;
  readonly sessions: () => Pick<Sessions, "find">;
  /** True when conversations on platforms are included. */
  readonly hasPlatforms: () => boolean;
  readonly log: Logger;
}

/** Creates the stage that notifies of a turn's newest reply, in the same transaction, or of its failure. */
export function createNotifyStage(deps: NotifyDeps): TurnStage {
  return {
    id: "push.tell",
    phase: "after",
    usesStorage: true,
    concerns: ({ session }) => deps.subscriptions.existence.isPossible() && mayNotify(deps, session),
    async run(turn) {
      const answer = turn.recorded?.findLast(({ kind, hidden }) => kind === "normal" && !hidden);
      if (!answer) return turn;
      const about = { kind: "message", message_id: answer.id } as const;
      const effects = await createNoticeEffects(deps, turn.session, answer.id, about, turn.traceId);
      return { ...turn, effects: [...turn.effects, ...effects] };
    },
    async unanswered(turn, error) {
      if (!error) return [];
      const about = { kind: "failed", error: localizeMessage(error.error, error.detail) } as const;
      return createNoticeEffects(deps, turn.session, `${turn.traceId}:failed`, about, turn.traceId);
    },
  };
}

/** Creates a listener that notifies of pending tool confirmations; a notice that waits is not sent once they are answered. */
export function createApprovalListener(deps: NotifyDeps): (event: LiveEvent) => void {
  const { database, notices, sessions, log } = deps;
  const notifyApproval = async (sessionId: string, payload: ApprovalPayload) => {
    const session = await sessions().find(sessionId);
    if (!session) return;
    const { request_id, tool, expires_at } = payload;
    const about = { kind: "approval", tool, until_ms: Date.parse(expires_at) } as const;
    const effects = await createNoticeEffects(deps, session, request_id, about);
    if (effects.length > 0) notifyApplied(effects, await database().write(collectWrites(effects)));
  };
  return (event) => {
    const { type, session_id } = event;
    if (session_id === undefined || (type !== "exec_confirm_request" && type !== "exec_confirm_result")) return;
    const asked = event.payload as unknown as ApprovalPayload;
    const done =
      type === "exec_confirm_request"
        ? notifyApproval(session_id, asked)
        : database().write([notices.clearWrite(session_id, asked.request_id)]);
    done.catch((error: unknown) => log.warn("an approval notification could not be changed", { error }));
  };
}

interface ApprovalPayload {
  readonly request_id: string;
  readonly tool: string;
  readonly expires_at: string;
}

/** Returns the writes of a notice and its job. Empty when nobody subscribed to the session or a client shows it, or when the session sends no notices. */
async function createNoticeEffects(
  deps: NotifyDeps,
  session: Session,
  noticeId: string,
  about: NoticeContent,
  traceId?: string,
): Promise<readonly Effect[]> {
  const { notices, subscriptions, presence, jobs, log } = deps;
  const { id } = session;
  const queue = jobs();
  if (!queue || !mayNotify(deps, session)) return [];
  if (presence()?.isVisible(id) || !(await subscriptions.hasSubscribers(id))) return [];
  const data: SendJobData = { session_id: id, notice_id: noticeId };
  try {
    const job = queue.effect(SEND_JOB, data, { key: noticeId, ...(traceId !== undefined && { traceId }) });
    return [{ writes: [notices.putWrite(id, noticeId, about)] }, job];
  } catch (error) {
    // A failed notification must not fail the answer itself.
    if (!AppError.is(error)) throw error;
    log.warn("subscribers could not be notified of an answer", { session: id, error });
    return [];
  }
}

/** True when replies of the session may be notified of at all. */
function mayNotify({ hasPlatforms }: NotifyDeps, { channel_id, is_temporary }: Session): boolean {
  return !is_temporary && (channel_id === "web" || hasPlatforms());
}

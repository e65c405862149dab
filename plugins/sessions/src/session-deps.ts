import type {
  Channels,
  Characters,
  Clock,
  Database,
  Files,
  FilterResult,
  Gateway,
  Jobs,
  LiveEvents,
  Memories,
  Message,
  MessageFilter,
  Models,
  Personas,
  Session,
  Settings,
  Summaries,
  Workspaces,
} from "@parley/core";
import type { RecordParts } from "@parley/core/storage";
import type { MessageStore } from "./store/message-store.ts";
import type { SessionStore } from "./store/session-store.ts";
import type { Timeline } from "./store/timeline.ts";
import { sessionsTexts } from "./texts.ts";

/** Dependencies shared by the code of sessions. Other plugins are found at use, since some depend on this plugin. */
export interface SessionDeps {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly gateway: () => Gateway;
  readonly jobs: () => Jobs;
  readonly channels: () => Channels | undefined;
  readonly filter: () => MessageFilter | undefined;
  readonly characters: () => Characters | undefined;
  readonly personas: () => Personas | undefined;
  readonly models: () => Pick<Models, "purposeOf"> | undefined;
  readonly memories: () => Memories | undefined;
  readonly summaries: () => Summaries;
  readonly files: () => Files | undefined;
  readonly workspaces: () => Pick<Workspaces, "copyOf"> | undefined;
  readonly timeline: Timeline;
  /** Data of other plugins about sessions. */
  readonly lifecycle: RecordParts;
  /** Keys of the prompt parts. */
  readonly promptKeys: () => readonly string[];
}

/** Returns the filtered text. Everything saved to the history passes the filter, from any source. */
export async function applyFilter(
  { filter }: SessionDeps,
  session: Session,
  target: "user" | "ai",
  text: string,
  hasAttachments: boolean,
  isPreview = false,
): Promise<FilterResult> {
  const messageFilter = filter();
  if (!messageFilter || text === "") return { text, filtered: false, blocked: false, rules: [], skipped: [] };
  return messageFilter.apply({
    text,
    target,
    sessionId: session.id,
    channelId: session.channel_id,
    hasAttachments,
    isPreview,
  });
}

export function now({ clock }: SessionDeps): string {
  return new Date(clock.now()).toISOString();
}

/** Throws `bad_request` for a model that is unknown or not for chat. If it is deleted later, the next one answers. */
export async function assertChatModel({ models }: SessionDeps, modelId: string | null | undefined): Promise<void> {
  const known = models();
  if (modelId === null || modelId === undefined || !known) return;
  if ((await known.purposeOf(modelId)) === "chat") return;
  throw sessionsTexts.error("bad_request", "no_model", { id: modelId }, { field: "model_id" });
}

export function assertNotRunning({ gateway }: SessionDeps, session: Session): void {
  if (gateway().running(session.id)) throw sessionsTexts.error("conflict", "turn_runs");
}

/** Throws for a temporary conversation, whose data must not outlive it. */
export function assertNotTemporary(session: Session): void {
  if (session.is_temporary) throw sessionsTexts.error("conflict", "temporary");
}

export function assertNotArchived(session: Session): void {
  if (session.archived) throw sessionsTexts.error("conflict", "archived");
}

/** Notifies the clients of a session. Call it when the change is committed. */
export function publishEvent(
  { events }: SessionDeps,
  sessionId: string,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): void {
  events.publish({ type, session_id: sessionId, durable: true, payload });
}

export function publishMessage(deps: SessionDeps, type: "new_message" | "message_updated", message: Message): void {
  publishEvent(deps, message.session_id, type, { message });
}

export function publishMessagesRemoved(
  deps: SessionDeps,
  sessionId: string,
  messageIds: readonly string[],
  reason: "deleted" | "cleared" | "truncated" | "regenerated" | "compressed" | "branched" | "switched",
): void {
  if (messageIds.length > 0) publishEvent(deps, sessionId, "messages_removed", { message_ids: messageIds, reason });
}

/** Returns the ids of the messages and of those they reply to, since a turn is deleted with any of its messages. */
export function listTurnMessageIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ id, reply_to }) => (reply_to === null ? [id] : [id, reply_to]));
}

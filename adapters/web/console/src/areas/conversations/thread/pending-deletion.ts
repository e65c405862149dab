import { useSyncExternalStore } from "react";
import { deleteOnLeave, ignoreNotFound, parley } from "../../../shared/api/client.ts";
import { showToast, UNDO_MS } from "../../../shared/ui/feedback/toasts.tsx";
import { restoreFocus } from "../../../shared/ui/page/restore-focus.tsx";

interface Deletion {
  /** Ids to delete, hidden from now on. */
  readonly ids: readonly string[];
  /** The conversation whose messages are deleted; absent: the ids are those of conversations. */
  readonly sessionId?: string;
  readonly text: string;
  readonly onUndone?: () => void;
  /** Called when the deletion failed; the items are shown again afterwards. */
  readonly onError: (error: unknown) => void;
  /** Called after the deletion, also when it failed; the items are hidden until this resolves. */
  readonly onEnded: () => unknown;
}

interface ScheduledDeletion {
  readonly deletion: Deletion;
  readonly timer: ReturnType<typeof setTimeout>;
}

let scheduled: readonly ScheduledDeletion[] = [];
let hiddenIds: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

export const SESSION_PATH = "/api/sessions/{session_id}";
const MESSAGE_PATH = `${SESSION_PATH}/messages/{message_id}` as const;

/** Hides items at once and deletes them after ten seconds, or when the toast or the page is closed, unless the user undoes it. */
export function scheduleDeletion(deletion: Deletion): void {
  if (scheduled.length === 0) addEventListener("pagehide", deleteAllOnLeave);
  const entry: ScheduledDeletion = { deletion, timer: setTimeout(() => void executeDeletion(entry), UNDO_MS) };
  scheduled = [...scheduled, entry];
  setHiddenIds(new Set([...hiddenIds, ...deletion.ids]));
  // The pressed button may disappear with the item.
  setTimeout(restoreFocus);
  const undo = () => {
    if (!cancelTimer(entry)) return;
    setHiddenIds(withoutIds(deletion.ids));
    deletion.onUndone?.();
  };
  showToast({ text: deletion.text, undo, onClosed: () => void executeDeletion(entry) });
}

/** Runs the pending deletions of a conversation's messages at once, so that its next message comes after them. Returns undefined when none are pending. */
export function flushDeletions(sessionId: string): Promise<unknown> | undefined {
  const some = scheduled.filter(({ deletion }) => deletion.sessionId === sessionId);
  return some.length === 0 ? undefined : Promise.all(some.map(executeDeletion));
}

export const isPendingDeletion = (id: string): boolean => hiddenIds.has(id);

/** Returns the ids of messages and conversations that are hidden until their deletion. */
export function usePendingDeletions(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hiddenIds);
}

async function executeDeletion(one: ScheduledDeletion): Promise<void> {
  if (!cancelTimer(one)) return;
  const { ids, sessionId, onError, onEnded } = one.deletion;
  try {
    for (const id of ids) await deleteOne(id, sessionId).catch(ignoreNotFound);
  } catch (error) {
    onError(error);
  }
  await onEnded();
  setHiddenIds(withoutIds(ids));
}

function deleteOne(id: string, session_id: string | undefined): Promise<unknown> {
  return session_id === undefined
    ? parley.delete(SESSION_PATH, { path: { session_id: id } })
    : parley.delete(MESSAGE_PATH, { path: { session_id, message_id: id } });
}

/** Sends all pending deletions when the page closes, as requests the browser completes afterwards. */
function deleteAllOnLeave(): void {
  for (const { deletion } of scheduled) {
    const { ids, sessionId } = deletion;
    for (const id of ids) {
      if (sessionId === undefined) deleteOnLeave(SESSION_PATH, { session_id: id });
      else deleteOnLeave(MESSAGE_PATH, { session_id: sessionId, message_id: id });
    }
  }
}

/** Cancels the timer; true when the deletion was still pending. */
function cancelTimer(one: ScheduledDeletion): boolean {
  if (!scheduled.includes(one)) return false;
  clearTimeout(one.timer);
  scheduled = scheduled.filter((other) => other !== one);
  if (scheduled.length === 0) removeEventListener("pagehide", deleteAllOnLeave);
  return true;
}

function withoutIds(ids: readonly string[]): ReadonlySet<string> {
  return new Set([...hiddenIds].filter((id) => !ids.includes(id)));
}

function setHiddenIds(now: ReadonlySet<string>): void {
  hiddenIds = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

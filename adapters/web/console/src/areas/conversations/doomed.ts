import { useSyncExternalStore } from "react";
import { ApiError, api, deleteOnLeave } from "../../shared/api/client.ts";
import { focusLast } from "../../shared/ui/focus-back.tsx";
import { toast, UNDO_MS } from "../../shared/ui/toasts.tsx";

interface Deletion {
  /** What is not shown any more. */
  readonly ids: readonly string[];
  /** The rows to delete. */
  readonly paths: readonly string[];
  /** The conversation whose messages these are, where they are messages. */
  readonly within?: string;
  readonly text: string;
  readonly undone?: () => void;
  /** It is there as before, and shown again. */
  readonly failed: (error: unknown) => void;
  /** Called when it is deleted, or was refused. */
  readonly ended: () => unknown;
}

interface Held {
  readonly deletion: Deletion;
  readonly timer: ReturnType<typeof setTimeout>;
}

let held: readonly Held[] = [];
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

export const sessionPath = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;

/** Hides something at once and deletes it when nobody took that back: when its time is over, or the page is left. */
export function deleteSoon(deletion: Deletion): void {
  if (held.length === 0) addEventListener("pagehide", leave);
  const one: Held = { deletion, timer: setTimeout(() => void carryOut(one), UNDO_MS) };
  held = [...held, one];
  show(new Set([...hidden, ...deletion.ids]));
  // The button that was pressed may be gone with it.
  setTimeout(focusLast);
  const undo = () => {
    if (!take(one)) return;
    show(without(deletion.ids));
    deletion.undone?.();
  };
  toast({ text: deletion.text, undo, closed: () => void carryOut(one) });
}

/** Deletes what waits of a conversation: what is said next is said without it. Undefined: nothing waits. */
export function settled(sessionId: string): Promise<unknown> | undefined {
  const some = held.filter(({ deletion }) => deletion.within === sessionId);
  return some.length === 0 ? undefined : Promise.all(some.map(carryOut));
}

export const isDoomed = (id: string): boolean => hidden.has(id);

/** The ids of what is deleted soon. */
export function useDoomed(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden);
}

async function carryOut(one: Held): Promise<void> {
  if (!take(one)) return;
  const { ids, paths, failed, ended } = one.deletion;
  try {
    for (const path of paths) await api.remove(path).catch(unlessGone);
  } catch (error) {
    failed(error);
  }
  await ended();
  show(without(ids));
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === "not_found")) throw error;
}

/** Nobody can take it back any more; the browser sends it to the end when the page is gone. */
function leave(): void {
  for (const { deletion } of held) {
    for (const path of deletion.paths) deleteOnLeave(path);
  }
}

/** Whether it was still waiting. */
function take(one: Held): boolean {
  if (!held.includes(one)) return false;
  clearTimeout(one.timer);
  held = held.filter((other) => other !== one);
  if (held.length === 0) removeEventListener("pagehide", leave);
  return true;
}

function without(ids: readonly string[]): ReadonlySet<string> {
  return new Set([...hidden].filter((id) => !ids.includes(id)));
}

function show(now: ReadonlySet<string>): void {
  hidden = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

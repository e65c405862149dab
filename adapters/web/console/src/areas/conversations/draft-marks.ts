import { useSyncExternalStore } from "react";

/** Where drafts of this browser stand, by their names. */
export const DRAFT_KEY = "parley.draft.";

const listeners = new Set<() => void>();
let known: ReadonlySet<string> = keptNames();

/** Notes that something is being written under a name, or is no more. */
export function markDraft(name: string, isThere: boolean): void {
  if (known.has(name) === isThere) return;
  put(isThere ? new Set([...known, name]) : new Set([...known].filter((one) => one !== name)));
}

/** The names of all drafts of this browser, also of its other tabs. */
export function useDraftNames(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => known);
}

function keptNames(): ReadonlySet<string> {
  const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  return new Set(keys.filter((key) => key.startsWith(DRAFT_KEY)).map((key) => key.slice(DRAFT_KEY.length)));
}

function put(now: ReadonlySet<string>): void {
  known = now;
  for (const listener of listeners) listener();
}

const fromElsewhere = ({ key }: StorageEvent) => {
  if (key === null || key.startsWith(DRAFT_KEY)) put(keptNames());
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("storage", fromElsewhere);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", fromElsewhere);
  };
}

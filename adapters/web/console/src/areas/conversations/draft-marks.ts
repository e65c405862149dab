import { useSyncExternalStore } from "react";
import { ownKey } from "../../shared/kept-here.ts";

const listeners = new Set<() => void>();
/** Of one account: those of the next one are looked up. */
let known: { readonly prefix: string; readonly names: ReadonlySet<string> } | undefined;

/** Notes that something is being written under a name, or is no more. */
export function markDraft(name: string, isThere: boolean): void {
  const names = namesNow();
  if (names.has(name) === isThere) return;
  put(isThere ? new Set([...names, name]) : new Set([...names].filter((one) => one !== name)));
}

/** The names of all drafts that the account has in this browser, also in its other tabs. */
export function useDraftNames(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, namesNow);
}

function namesNow(): ReadonlySet<string> {
  const prefix = ownKey("draft");
  if (known?.prefix !== prefix) known = { prefix, names: keptNames(prefix) };
  return known.names;
}

function keptNames(prefix: string): ReadonlySet<string> {
  const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  return new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
}

function put(names: ReadonlySet<string>): void {
  known = { prefix: ownKey("draft"), names };
  for (const listener of listeners) listener();
}

const fromElsewhere = ({ key }: StorageEvent) => {
  const prefix = ownKey("draft");
  if (key === null || key.startsWith(prefix)) put(keptNames(prefix));
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("storage", fromElsewhere);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", fromElsewhere);
  };
}

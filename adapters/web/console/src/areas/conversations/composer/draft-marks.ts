import { useSyncExternalStore } from "react";
import { toAccountKey } from "../../../shared/account-storage.ts";

const listeners = new Set<() => void>();
/** Cached draft names of one account; the prefix of another account invalidates them. */
let cachedNames: { readonly prefix: string; readonly names: ReadonlySet<string> } | undefined;

/** Records whether a draft exists under a name. */
export function setHasDraft(name: string, hasDraft: boolean): void {
  const names = getDraftNames();
  if (names.has(name) === hasDraft) return;
  setNames(hasDraft ? new Set([...names, name]) : new Set([...names].filter((one) => one !== name)));
}

/** Returns the names of all drafts of the account in this browser, other tabs included. */
export function useDraftNames(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, getDraftNames);
}

function getDraftNames(): ReadonlySet<string> {
  const prefix = toAccountKey("draft");
  if (cachedNames?.prefix !== prefix) cachedNames = { prefix, names: readStoredNames(prefix) };
  return cachedNames.names;
}

function readStoredNames(prefix: string): ReadonlySet<string> {
  const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  return new Set(keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)));
}

function setNames(names: ReadonlySet<string>): void {
  cachedNames = { prefix: toAccountKey("draft"), names };
  for (const listener of listeners) listener();
}

const onStorage = ({ key }: StorageEvent) => {
  const prefix = toAccountKey("draft");
  if (key === null || key.startsWith(prefix)) setNames(readStoredNames(prefix));
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", onStorage);
  };
}

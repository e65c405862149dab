import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { accountKey, tryStore } from "../../../shared/account-storage.ts";
import { setHasDraft } from "./draft-marks.ts";
import { largeDrafts } from "./large-drafts.ts";

type SetText = (next: string | ((now: string) => string)) => void;

/** Draft name for a conversation that does not exist yet. */
export const NEW_DRAFT = "new";
/** Larger drafts are not rewritten to the shared storage at every key. */
const LARGE_LENGTH = 64_000;
const draftKey = (name: string) => accountKey("draft", name);
/** Marks a draft stored in IndexedDB, in the place of its text; even this may fail when the storage is full. */
const LARGE_DRAFT_MARK = "\u0000elsewhere";
/** Keys of drafts that this page knows to be in IndexedDB. */
const largeDraftKeys = new Set<string>();

/**
 * A draft of any size that survives a reload and a sign-out and is shared by all tabs of the browser. A text equal to
 * `initial` is not stored; `isKept` is false where browser storage is full.
 */
export function useDraft(name: string, initial = ""): readonly [text: string, setText: SetText, isKept: boolean] {
  const key = useMemo(() => draftKey(name), [name]);
  const [initialText] = useState(() => localStorage.getItem(key));
  const isHere = initialText !== null && initialText !== LARGE_DRAFT_MARK;
  const [text, setText] = useState(isHere ? initialText : initial);
  const [isFetching, setFetching] = useState(!isHere);
  const [isSaved, setSaved] = useState(true);
  // As it stands where it is kept: what another tab wrote is not written once more.
  const lastStored = useRef(text);
  useEffect(() => {
    if (!isFetching) return;
    void largeDrafts.get(key).then((storedText) => {
      if (storedText !== undefined) {
        largeDraftKeys.add(key);
        // Words that were written meanwhile come after.
        setText((now) => (now === initial ? storedText : `${storedText}${now}`));
      }
      setFetching(false);
    });
  }, [key, initial, isFetching]);
  // What is being written goes on under another name: it is kept under that one alone.
  const from = useRef(name);
  useLayoutEffect(() => {
    if (from.current === name) return;
    deleteDraft(from.current);
    from.current = name;
    lastStored.current = initial;
  }, [name, initial]);
  // Over what is known to be elsewhere nothing is written before that is here; anything else is kept as soon as it is written.
  const isAwaited = isFetching && initialText === LARGE_DRAFT_MARK;
  useLayoutEffect(() => {
    if (isAwaited || text === lastStored.current) return;
    lastStored.current = text;
    if (text === initial) removeDraft(name, key);
    else void saveDraft(name, key, text).then(setSaved);
  }, [isAwaited, name, key, initial, text]);
  useEffect(() => {
    const applyRemote = (remoteText: string) => {
      lastStored.current = remoteText;
      setText(remoteText);
    };
    const onStorage = ({ key: where, newValue }: StorageEvent) => {
      if (where !== key) return;
      if (newValue !== LARGE_DRAFT_MARK) return applyRemote(newValue ?? initial);
      largeDraftKeys.add(key);
      void largeDrafts.get(key).then((storedText) => storedText !== undefined && applyRemote(storedText));
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [key, initial]);
  return [text, setText, isSaved];
}

export function deleteDraft(name: string): void {
  removeDraft(name, draftKey(name));
}

function removeDraft(name: string, key: string): void {
  if (largeDraftKeys.delete(key) || localStorage.getItem(key) === LARGE_DRAFT_MARK) void largeDrafts.remove(key);
  localStorage.removeItem(key);
  setHasDraft(name, false);
}

/** Moves a draft to another name; a draft already there comes first. */
export async function moveDraft(from: string, to: string): Promise<void> {
  const [draft, there] = await Promise.all([from, to].map((name) => readDraft(draftKey(name))));
  if (!draft) return;
  await saveDraft(to, draftKey(to), there ? `${there}\n${draft}` : draft);
  deleteDraft(from);
}

async function readDraft(key: string): Promise<string | undefined> {
  const text = localStorage.getItem(key);
  return text === null || text === LARGE_DRAFT_MARK ? largeDrafts.get(key) : text;
}

/** False: there is no room for it anywhere. */
async function saveDraft(name: string, key: string, text: string): Promise<boolean> {
  setHasDraft(name, true);
  if (text.length <= LARGE_LENGTH && tryStore(key, text)) {
    if (largeDraftKeys.delete(key)) void largeDrafts.remove(key);
    return true;
  }
  largeDraftKeys.add(key);
  try {
    await largeDrafts.put(key, text);
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") return false;
    throw error;
  }
  if (largeDraftKeys.has(key)) tryStore(key, LARGE_DRAFT_MARK);
  return true;
}

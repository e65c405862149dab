import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { toAccountKey, tryStore } from "../../../shared/account-storage.ts";
import { setHasDraft } from "./draft-marks.ts";
import { largeDrafts } from "./large-drafts.ts";

type SetText = (next: string | ((now: string) => string)) => void;

/** Draft name for a conversation that does not exist yet. */
export const NEW_DRAFT = "new";
/** Longer drafts go to IndexedDB: writing them to localStorage at every keystroke is slow. */
const LARGE_LENGTH = 64_000;
const toDraftKey = (name: string) => toAccountKey("draft", name);
/** Stands in localStorage for a draft in IndexedDB. A full storage may reject even this mark. */
const LARGE_DRAFT_MARK = "\u0000elsewhere";
/** Keys of drafts that this page knows to be in IndexedDB. */
const largeDraftKeys = new Set<string>();

/**
 * A draft of any size that survives a reload and a sign-out and is shared by all tabs of the browser. A text equal to
 * `initial` is not stored; `isStored` is false when browser storage is full.
 */
export function useDraft(name: string, initial = ""): readonly [text: string, setText: SetText, isStored: boolean] {
  const key = useMemo(() => toDraftKey(name), [name]);
  const [initialText] = useState(() => localStorage.getItem(key));
  const isLocal = initialText !== null && initialText !== LARGE_DRAFT_MARK;
  const [text, setText] = useState(isLocal ? initialText : initial);
  const [isLoadingLarge, setLoadingLarge] = useState(!isLocal);
  const [isSaved, setSaved] = useState(true);
  // The stored text; text that came from another tab must not be written back.
  const lastStored = useRef(text);
  useEffect(() => {
    if (!isLoadingLarge) return;
    void largeDrafts.get(key).then((storedText) => {
      if (storedText !== undefined) {
        largeDraftKeys.add(key);
        // Text typed while the draft was loading follows it.
        setText((now) => (now === initial ? storedText : `${storedText}${now}`));
      }
      setLoadingLarge(false);
    });
  }, [key, initial, isLoadingLarge]);
  // The draft was renamed (a new conversation got its id): the old name is deleted and the text stored under the new one.
  const previousName = useRef(name);
  useLayoutEffect(() => {
    if (previousName.current === name) return;
    deleteDraft(previousName.current);
    previousName.current = name;
    lastStored.current = initial;
  }, [name, initial]);
  // While a large draft loads, nothing may overwrite it.
  const isLargePending = isLoadingLarge && initialText === LARGE_DRAFT_MARK;
  useLayoutEffect(() => {
    if (isLargePending || text === lastStored.current) return;
    lastStored.current = text;
    if (text === initial) removeDraft(name, key);
    else void saveDraft(name, key, text).then(setSaved);
  }, [isLargePending, name, key, initial, text]);
  useEffect(() => {
    const applyRemote = (remoteText: string) => {
      lastStored.current = remoteText;
      setText(remoteText);
    };
    const onStorage = ({ key: changedKey, newValue }: StorageEvent) => {
      if (changedKey !== key) return;
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
  removeDraft(name, toDraftKey(name));
}

function removeDraft(name: string, key: string): void {
  if (largeDraftKeys.delete(key) || localStorage.getItem(key) === LARGE_DRAFT_MARK) void largeDrafts.remove(key);
  localStorage.removeItem(key);
  setHasDraft(name, false);
}

/** Moves a draft to another name; a draft already there comes first. */
export async function moveDraft(from: string, to: string): Promise<void> {
  const [draft, existing] = await Promise.all([from, to].map((name) => readDraft(toDraftKey(name))));
  if (!draft) return;
  await saveDraft(to, toDraftKey(to), existing ? `${existing}\n${draft}` : draft);
  deleteDraft(from);
}

async function readDraft(key: string): Promise<string | undefined> {
  const text = localStorage.getItem(key);
  return text === null || text === LARGE_DRAFT_MARK ? largeDrafts.get(key) : text;
}

/** Stores the draft; resolves to false when browser storage is full. */
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

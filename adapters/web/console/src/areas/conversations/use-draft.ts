import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isKeptHere, ownKey } from "../../shared/kept-here.ts";
import { markDraft } from "./draft-marks.ts";
import { largeDrafts } from "./large-drafts.ts";

type SetText = (next: string | ((now: string) => string)) => void;

/** The drafts of what has no conversation yet. */
export const NEW_DRAFT = "new";
/** More than this is not written anew with each key at the place that all pages share. */
const LARGE = 64_000;
const keyOf = (name: string) => ownKey("draft", name);
/** Stands where the text would, while that is elsewhere; not even it fits where everything is full. */
const ELSEWHERE = "\u0000elsewhere";
/** Keys of what this page knows to be elsewhere. */
const elsewhere = new Set<string>();

/**
 * What is being written, however much it is, survives a reload and the end of a login, and is the same in all tabs of the
 * browser. What is as `initial` is not kept; `isKept` is false where the browser has no room left for it.
 */
export function useDraft(name: string, initial = ""): readonly [text: string, setText: SetText, isKept: boolean] {
  const key = useMemo(() => keyOf(name), [name]);
  const [begun] = useState(() => localStorage.getItem(key));
  const isHere = begun !== null && begun !== ELSEWHERE;
  const [text, setText] = useState(isHere ? begun : initial);
  const [isFetching, setFetching] = useState(!isHere);
  const [isKept, setKept] = useState(true);
  // As it stands where it is kept: what another tab wrote is not written once more.
  const known = useRef(text);
  useEffect(() => {
    if (!isFetching) return;
    void largeDrafts.get(key).then((kept) => {
      if (kept !== undefined) {
        elsewhere.add(key);
        // Words that were written meanwhile come after.
        setText((now) => (now === initial ? kept : `${kept}${now}`));
      }
      setFetching(false);
    });
  }, [key, initial, isFetching]);
  // What is being written goes on under another name: it is kept under that one alone.
  const from = useRef(name);
  useLayoutEffect(() => {
    if (from.current === name) return;
    forgetDraft(from.current);
    from.current = name;
    known.current = initial;
  }, [name, initial]);
  // Over what is known to be elsewhere nothing is written before that is here; anything else is kept as soon as it is written.
  const isAwaited = isFetching && begun === ELSEWHERE;
  useLayoutEffect(() => {
    if (isAwaited || text === known.current) return;
    known.current = text;
    if (text === initial) forget(name, key);
    else void keep(name, key, text).then(setKept);
  }, [isAwaited, name, key, initial, text]);
  useEffect(() => {
    const follow = (theirs: string) => {
      known.current = theirs;
      setText(theirs);
    };
    const written = ({ key: where, newValue }: StorageEvent) => {
      if (where !== key) return;
      if (newValue !== ELSEWHERE) return follow(newValue ?? initial);
      elsewhere.add(key);
      void largeDrafts.get(key).then((kept) => kept !== undefined && follow(kept));
    };
    window.addEventListener("storage", written);
    return () => window.removeEventListener("storage", written);
  }, [key, initial]);
  return [text, setText, isKept];
}

export function forgetDraft(name: string): void {
  forget(name, keyOf(name));
}

function forget(name: string, key: string): void {
  if (elsewhere.delete(key) || localStorage.getItem(key) === ELSEWHERE) void largeDrafts.remove(key);
  localStorage.removeItem(key);
  markDraft(name, false);
}

/** What was written for one thing is written for another now; what was begun there already comes first. */
export async function moveDraft(from: string, to: string): Promise<void> {
  const [moved, there] = await Promise.all([from, to].map((name) => draftOf(keyOf(name))));
  if (!moved) return;
  await keep(to, keyOf(to), there ? `${there}\n${moved}` : moved);
  forgetDraft(from);
}

async function draftOf(key: string): Promise<string | undefined> {
  const text = localStorage.getItem(key);
  return text === null || text === ELSEWHERE ? largeDrafts.get(key) : text;
}

/** False: there is no room for it anywhere. */
async function keep(name: string, key: string, text: string): Promise<boolean> {
  markDraft(name, true);
  if (text.length <= LARGE && isKeptHere(key, text)) {
    if (elsewhere.delete(key)) void largeDrafts.remove(key);
    return true;
  }
  elsewhere.add(key);
  try {
    await largeDrafts.put(key, text);
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") return false;
    throw error;
  }
  if (elsewhere.has(key)) isKeptHere(key, ELSEWHERE);
  return true;
}

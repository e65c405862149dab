import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { largeDrafts } from "./large-drafts.ts";

type SetText = (next: string | ((now: string) => string)) => void;

/** More than this is not written anew with each key at the place that all pages share. */
const LARGE = 64_000;
const keyOf = (name: string) => `parley.draft.${name}`;
/** Stands where the text would, while that is elsewhere. */
const ELSEWHERE = "\u0000elsewhere";

/** What is being written, however much it is, survives a reload and the end of a login. What is as `initial` is not kept. */
export function useDraft(name: string, initial = ""): readonly [text: string, setText: SetText] {
  const key = keyOf(name);
  const [text, setText] = useState(() => {
    const kept = localStorage.getItem(key);
    return kept === null || kept === ELSEWHERE ? initial : kept;
  });
  const isFetching = useRef(localStorage.getItem(key) === ELSEWHERE);
  useEffect(() => {
    if (!isFetching.current) return;
    void largeDrafts.get(key).then((kept) => {
      isFetching.current = false;
      // Words that were written meanwhile come after.
      if (kept !== undefined) setText((now) => (now === initial ? kept : `${kept}${now}`));
    });
  }, [key, initial]);
  useLayoutEffect(() => {
    if (isFetching.current) return;
    if (text === initial) forgetDraft(name);
    else keep(key, text);
  }, [key, name, initial, text]);
  return [text, setText];
}

export function forgetDraft(name: string): void {
  const key = keyOf(name);
  if (localStorage.getItem(key) === ELSEWHERE) void largeDrafts.remove(key);
  localStorage.removeItem(key);
}

function keep(key: string, text: string): void {
  if (text.length <= LARGE) {
    try {
      localStorage.setItem(key, text);
      return;
    } catch {
      // More than all pages together may keep there.
      localStorage.removeItem(key);
    }
  }
  void largeDrafts.put(key, text).then(() => localStorage.setItem(key, ELSEWHERE));
}

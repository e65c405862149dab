import { useEffect, useLayoutEffect, useState } from "react";
import { isKeptHere } from "../../shared/kept-here.ts";
import { DRAFT_KEY, markDraft } from "./draft-marks.ts";
import { largeDrafts } from "./large-drafts.ts";

type SetText = (next: string | ((now: string) => string)) => void;

/** The drafts of what has no conversation yet. */
export const NEW_DRAFT = "new";
/** More than this is not written anew with each key at the place that all pages share. */
const LARGE = 64_000;
const keyOf = (name: string) => `${DRAFT_KEY}${name}`;
/** Stands where the text would, while that is elsewhere; not even it fits where everything is full. */
const ELSEWHERE = "\u0000elsewhere";
/** Keys of what this page knows to be elsewhere. */
const elsewhere = new Set<string>();

/** What is being written, however much it is, survives a reload and the end of a login. What is as `initial` is not kept. */
export function useDraft(name: string, initial = ""): readonly [text: string, setText: SetText] {
  const key = keyOf(name);
  const [begun] = useState(() => localStorage.getItem(key));
  const isHere = begun !== null && begun !== ELSEWHERE;
  const [text, setText] = useState(isHere ? begun : initial);
  const [isFetching, setFetching] = useState(!isHere);
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
  useLayoutEffect(() => {
    if (isFetching) return;
    if (text === initial) forgetDraft(name);
    else keep(name, text);
  }, [isFetching, key, name, initial, text]);
  return [text, setText];
}

export function forgetDraft(name: string): void {
  const key = keyOf(name);
  if (elsewhere.delete(key) || localStorage.getItem(key) === ELSEWHERE) void largeDrafts.remove(key);
  localStorage.removeItem(key);
  markDraft(name, false);
}

/** What was written for one thing is written for another now; what was begun there already comes first. */
export async function moveDraft(from: string, to: string): Promise<void> {
  const [moved, there] = await Promise.all([from, to].map((name) => draftOf(keyOf(name))));
  if (!moved) return;
  keep(to, there ? `${there}\n${moved}` : moved);
  forgetDraft(from);
}

async function draftOf(key: string): Promise<string | undefined> {
  const text = localStorage.getItem(key);
  return text === null || text === ELSEWHERE ? largeDrafts.get(key) : text;
}

function keep(name: string, text: string): void {
  const key = keyOf(name);
  markDraft(name, true);
  if (text.length <= LARGE && isKeptHere(key, text)) {
    if (elsewhere.delete(key)) void largeDrafts.remove(key);
    return;
  }
  elsewhere.add(key);
  void largeDrafts.put(key, text).then(() => elsewhere.has(key) && isKeptHere(key, ELSEWHERE));
}

import { useLayoutEffect, useState } from "react";

type SetText = (next: string | ((now: string) => string)) => void;

/** What is being written survives a reload and the end of a login. */
export function useDraft(sessionId: string): readonly [text: string, setText: SetText] {
  const key = `parley.draft.${sessionId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  useLayoutEffect(() => {
    if (!text) localStorage.removeItem(key);
    else keep(key, text);
  }, [key, text]);
  return [text, setText];
}

function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // More than the browser keeps for a page: it is there as long as the page is.
    localStorage.removeItem(key);
  }
}

import { newId, type ReplyDraft } from "@parley/core";
import type { ServerFrame } from "./protocol.ts";

/** Milliseconds in which updates are merged into one frame. */
const MERGE_MS = 40;

export interface ReplyDraftOptions {
  send(frame: ServerFrame): void;
  /** Called with the first text that is shown; `text` returns what has been shown so far. */
  onShown(id: string, text: () => string): void;
  onEnd(id: string): void;
}

/** Creates an answer that grows on the visitor's pages: each frame has the text that is new, and where it begins. */
export function createReplyDraft({ send, onShown, onEnd }: ReplyDraftOptions): ReplyDraft {
  const id = newId("draft");
  let text = "";
  let shown: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const before = shown ?? "";
    if (text === before) return;
    const isFirst = shown === undefined;
    shown = text;
    if (isFirst) onShown(id, () => shown ?? "");
    const from = countCommon(before, text);
    send({ type: "delta", id, from, text: text.slice(from) });
  };
  return {
    update(whole) {
      text = whole;
      timer ??= setTimeout(flush, shown === undefined ? 0 : MERGE_MS);
    },
    async end() {
      flush();
      onEnd(id);
      return shown === undefined ? undefined : id;
    },
  };
}

/** Returns the length of the common beginning of two texts. */
function countCommon(a: string, b: string): number {
  if (b.startsWith(a)) return a.length;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

import { useLocalStorage } from "@mantine/hooks";
import { useEffect } from "react";

/** When each conversation was last read in this browser, by id; the oldest entries are dropped. */
type ReadTimes = Readonly<Record<string, string>>;
const MAX_SESSIONS = 2_000;

const useReadTimes = () =>
  useLocalStorage<ReadTimes>({ key: "parley.seen", defaultValue: {}, getInitialValueInEffect: false });

/** Marks a conversation as read up to a time while the page is visible. */
export function useMarkRead(sessionId: string, upTo: string | undefined): void {
  const [, setReadTimes] = useReadTimes();
  useEffect(() => {
    if (upTo === undefined || document.visibilityState !== "visible") return;
    setReadTimes((before) => {
      if ((before[sessionId] ?? "") >= upTo) return before;
      const { [sessionId]: _previous, ...others } = before;
      return Object.fromEntries([...Object.entries(others).slice(1 - MAX_SESSIONS), [sessionId, upTo]]);
    });
  }, [sessionId, upTo, setReadTimes]);
}

/** Returns a predicate for conversations with unread messages. A conversation never opened here counts as read. */
export function useIsUnread(): (session: { readonly id: string; readonly last_message_at: string | null }) => boolean {
  const [readTimes] = useReadTimes();
  return ({ id, last_message_at }) => {
    const readAt = readTimes[id];
    return readAt !== undefined && last_message_at !== null && last_message_at > readAt;
  };
}

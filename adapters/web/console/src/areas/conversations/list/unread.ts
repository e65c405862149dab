import { useLocalStorage } from "@mantine/hooks";
import { useEffect } from "react";

/** Time each conversation was last read in this browser; limited to the most recent ones. */
type ReadTimes = Readonly<Record<string, string>>;
const MAX_SESSIONS = 2_000;

const useReadTimes = () =>
  useLocalStorage<ReadTimes>({ key: "parley.seen", defaultValue: {}, getInitialValueInEffect: false });

/** Marks a conversation as read up to a time while the page is visible. */
export function useMarkRead(sessionId: string, upTo: string | undefined): void {
  const [, setSeen] = useReadTimes();
  useEffect(() => {
    if (upTo === undefined || document.visibilityState !== "visible") return;
    setSeen((before) => {
      if ((before[sessionId] ?? "") >= upTo) return before;
      const { [sessionId]: _old, ...others } = before;
      return Object.fromEntries([...Object.entries(others).slice(1 - MAX_SESSIONS), [sessionId, upTo]]);
    });
  }, [sessionId, upTo, setSeen]);
}

/** Returns a test for messages since the conversation was last read here. One that was never opened counts as read. */
export function useIsUnread(): (session: { readonly id: string; readonly last_message_at: string | null }) => boolean {
  const [readTimes] = useReadTimes();
  return ({ id, last_message_at }) => {
    const time = readTimes[id];
    return time !== undefined && last_message_at !== null && last_message_at > time;
  };
}

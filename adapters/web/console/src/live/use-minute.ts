import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/** The present, to the minute: who uses it is drawn again as it passes. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

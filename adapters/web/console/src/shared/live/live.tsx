import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { isSignedIn } from "../api/client.ts";
import { languageNow } from "../i18n/i18n.ts";
import type { LinkPhase } from "./link.ts";
import { type LiveSocket, openLiveSocket } from "./socket.ts";

const Live = createContext<LiveSocket | undefined>(undefined);
const NEVER = () => () => {};

interface LiveProviderProps {
  /** The login has ended, and may be there again. */
  readonly isLost: boolean;
  readonly signedOut: () => void;
  readonly children: React.ReactNode;
}

/** One socket for the whole console, open while somebody is signed in. */
export function LiveProvider({ isLost, signedOut, children }: LiveProviderProps) {
  const [socket, setSocket] = useState<LiveSocket>();
  useEffect(() => {
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/ws`;
    const opened = openLiveSocket({
      url,
      storages: [localStorage, sessionStorage],
      language: languageNow,
      isSignedIn,
      signedOut,
    });
    setSocket(opened);
    return () => opened.close();
  }, [signedOut]);
  useEffect(() => {
    if (!isLost) socket?.signedIn();
  }, [isLost, socket]);
  return <Live value={socket}>{children}</Live>;
}

export function useLive(): LiveSocket | undefined {
  return useContext(Live);
}

export function useLinkPhase(): LinkPhase {
  const live = useLive();
  return useSyncExternalStore(live?.onPhase ?? NEVER, () => live?.phase() ?? "connecting");
}

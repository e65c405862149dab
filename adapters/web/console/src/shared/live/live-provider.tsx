import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { isSignedIn } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";
import type { ConnectionPhase } from "./connection.ts";
import { type LiveSocket, openLiveSocket } from "./socket.ts";

const LiveContext = createContext<LiveSocket | undefined>(undefined);
const subscribeNothing = () => () => {};

interface LiveProviderProps {
  /** True while the login is expired; the socket reconnects when it becomes false. */
  readonly isLoginExpired: boolean;
  readonly onSignedOut: () => void;
  readonly children: React.ReactNode;
}

/** Provides one socket for the whole console, open while signed in. */
export function LiveProvider({ isLoginExpired, onSignedOut, children }: LiveProviderProps) {
  const { language } = useTexts();
  const [socket, setSocket] = useState<LiveSocket>();
  useEffect(() => {
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/ws?language=${language}`;
    const opened = openLiveSocket({
      url,
      storages: [localStorage, sessionStorage],
      getLanguage: () => language,
      isSignedIn,
      onSignedOut,
    });
    setSocket(opened);
    return () => opened.close();
  }, [onSignedOut, language]);
  useEffect(() => {
    if (!isLoginExpired) socket?.onSignedIn();
  }, [isLoginExpired, socket]);
  return <LiveContext value={socket}>{children}</LiveContext>;
}

export function useLive(): LiveSocket | undefined {
  return useContext(LiveContext);
}

export function useConnectionPhase(): ConnectionPhase {
  const live = useLive();
  return useSyncExternalStore(live?.onPhase ?? subscribeNothing, () => live?.getPhase() ?? "connecting");
}

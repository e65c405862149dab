import { createContext, useContext, useEffect, useState } from "react";
import { type LinkState, type LiveSocket, openLiveSocket } from "../live/socket.ts";

const Live = createContext<LiveSocket | undefined>(undefined);

/** One socket for the whole console, open while somebody is signed in. */
export function LiveProvider({
  signedOut,
  children,
}: {
  readonly signedOut: () => void;
  readonly children: React.ReactNode;
}) {
  const [socket, setSocket] = useState<LiveSocket>();
  useEffect(() => {
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/ws`;
    const opened = openLiveSocket({ url, storage: localStorage, signedOut });
    setSocket(opened);
    return () => opened.close();
  }, [signedOut]);
  return <Live value={socket}>{children}</Live>;
}

export function useLive(): LiveSocket | undefined {
  return useContext(Live);
}

export function useLinkState(): LinkState {
  const live = useLive();
  const [state, setState] = useState<LinkState>("open");
  useEffect(() => live?.onState(setState), [live]);
  return state;
}

import { useSyncExternalStore } from "react";

/** The single audio player of the console, with a queue. */
export interface SpeechPlayer {
  /** Plays at once and replaces the current audio. */
  play(url: string): void;
  /** Plays after the current audio. */
  add(url: string): void;
  stop(): void;
  readonly isPlaying: () => boolean;
  subscribe(listener: () => void): () => void;
}

function createSpeechPlayer(): SpeechPlayer {
  const waiting: string[] = [];
  const listeners = new Set<() => void>();
  let sound: HTMLAudioElement | undefined;
  let isPlaying = false;
  const notify = (now: boolean) => {
    isPlaying = now;
    for (const listener of listeners) listener();
  };
  const next = () => {
    const url = waiting.shift();
    if (url === undefined) return notify(false);
    sound ??= opened();
    sound.src = url;
    notify(true);
    // A browser that wants a press first, or a file that is gone: the next one may do.
    sound.play().catch(() => isPlaying && next());
  };
  const opened = () => {
    const element = new Audio();
    element.addEventListener("ended", next);
    return element;
  };
  const stop = () => {
    waiting.length = 0;
    notify(false);
    sound?.pause();
  };
  return {
    play(url) {
      stop();
      waiting.push(url);
      next();
    },
    add(url) {
      waiting.push(url);
      if (!isPlaying) next();
    },
    stop,
    isPlaying: () => isPlaying,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const speechPlayer = createSpeechPlayer();

export function useIsPlaying(): boolean {
  return useSyncExternalStore(speechPlayer.subscribe, speechPlayer.isPlaying);
}

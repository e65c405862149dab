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
  const queue: string[] = [];
  const listeners = new Set<() => void>();
  let audio: HTMLAudioElement | undefined;
  let isPlaying = false;
  const notify = (now: boolean) => {
    isPlaying = now;
    for (const listener of listeners) listener();
  };
  const playNext = () => {
    const url = queue.shift();
    if (url === undefined) return notify(false);
    audio ??= createAudio();
    audio.src = url;
    notify(true);
    // Playback fails for a deleted file, or before the first click on the page; the next recording may play.
    audio.play().catch(() => isPlaying && playNext());
  };
  const createAudio = () => {
    const element = new Audio();
    element.addEventListener("ended", playNext);
    return element;
  };
  const stop = () => {
    queue.length = 0;
    notify(false);
    audio?.pause();
  };
  return {
    play(url) {
      stop();
      queue.push(url);
      playNext();
    },
    add(url) {
      queue.push(url);
      if (!isPlaying) playNext();
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

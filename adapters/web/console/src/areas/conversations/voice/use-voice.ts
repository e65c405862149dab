import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { speechPlayer } from "./speech-player.ts";

/** What of speaking and listening there is; undefined while that is not known. */
export interface VoiceCapabilities {
  /** A model speaks. */
  readonly canSpeak: boolean;
  /** A model listens. */
  readonly canTranscribe: boolean;
  /** Answers may be said: the setting is on. */
  readonly isOn: boolean;
}

export function useVoiceCapabilities(): VoiceCapabilities | undefined {
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const models = useQuery({
    queryKey: ["model", "active"],
    queryFn: () => parley.get("/api/ai-models/active-by-purpose"),
  });
  if (!settings.data || !models.data) return undefined;
  const { voice, features } = settings.data as {
    readonly voice?: object;
    readonly features?: { readonly tts?: boolean };
  };
  const has = models.data.active_models as Readonly<Record<string, { readonly has_config: boolean } | undefined>>;
  // Without its plugin there are no rows to ask.
  const isThere = voice !== undefined;
  return {
    canSpeak: isThere && has.tts?.has_config === true,
    canTranscribe: isThere && has.stt?.has_config === true,
    isOn: features?.tts === true,
  };
}

/** Whether this browser plays answers as they come. */
export function useAutoPlay() {
  return useLocalStorage({ key: "parley.autoPlay", defaultValue: false });
}

/** Plays what is said of the answers of one conversation while it is looked at. */
export function useSpokenAnswers(sessionId: string): void {
  const live = useLive();
  const [isOn] = useAutoPlay();
  useEffect(() => {
    if (!live || !isOn) return;
    const stop = live.subscribe((frame) => {
      if (frame.type === "speech" && frame.session_id === sessionId) speechPlayer.add(String(frame.audio_url));
    });
    return () => {
      stop();
      speechPlayer.stop();
    };
  }, [live, isOn, sessionId]);
}

/** Says a text aloud: from what is kept where it is kept. */
export async function speak(
  text: string,
  options: { readonly voice?: string; readonly speed?: number } = {},
): Promise<void> {
  const body = {
    text: text.slice(0, 4_000),
    ...(options.voice && { voice: options.voice }),
    ...(options.speed && { speed: options.speed }),
  };
  const { audio_url } = await parley.post("/api/tts/synthesize", { body });
  speechPlayer.play(audio_url);
}

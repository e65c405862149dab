import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { parley } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { speechPlayer } from "./speech-player.ts";

export interface VoiceCapabilities {
  /** True when a text-to-speech model is set up. */
  readonly canSpeak: boolean;
  /** True when a transcription model is set up. */
  readonly canTranscribe: boolean;
  /** True when the setting for spoken replies is on. */
  readonly isOn: boolean;
}

export function useVoiceCapabilities(): VoiceCapabilities | undefined {
  const settings = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const models = useQuery({
    queryKey: ["model", "active"],
    queryFn: () => parley.get("/api/ai-models/active-by-purpose"),
  });
  if (!settings.data || !models.data) return undefined;
  const { voice, features } = settings.data;
  const { active_models: active } = models.data;
  // Without the voice plugin the settings have no `voice` section.
  const hasPlugin = voice !== undefined;
  return {
    canSpeak: hasPlugin && active.tts?.has_config === true,
    canTranscribe: hasPlugin && active.stt?.has_config === true,
    isOn: toJsonObject(features).tts === true,
  };
}

/** Local setting: play spoken replies automatically in this browser. */
export function useAutoPlay() {
  return useLocalStorage({ key: "parley.autoPlay", defaultValue: false });
}

/** Plays the spoken replies of a conversation while it is open. */
export function usePlaySpokenReplies(sessionId: string): void {
  const live = useLive();
  const [isOn] = useAutoPlay();
  useEffect(() => {
    if (!live || !isOn) return;
    const unsubscribe = live.subscribe((frame) => {
      if (frame.type === "speech" && frame.session_id === sessionId) speechPlayer.add(String(frame.audio_url));
    });
    return () => {
      unsubscribe();
      speechPlayer.stop();
    };
  }, [live, isOn, sessionId]);
}

/** Speaks a text, at most 4,000 characters; the service reuses stored audio. */
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

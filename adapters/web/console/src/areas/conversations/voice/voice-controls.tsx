import { Button } from "@mantine/core";
import { useState } from "react";
import textCss from "../../../shared/styles/text.module.css";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";
import { speechPlayer, useIsPlaying } from "./speech-player.ts";
import { CAN_RECORD, type Dictation } from "./use-dictation.ts";
import { useVoiceCapabilities } from "./use-voice.ts";

/** A player for the stored audio of a reply; shows a notice when the audio has expired. */
export function ReplayButton({ url }: { readonly url: string }) {
  const { t } = useTexts();
  const [isExpired, setExpired] = useState(false);
  if (isExpired) return <p className={textCss.meta}>{t("audioExpired")}</p>;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the spoken text is above the player
    <audio
      className={messageCss.attached}
      src={url}
      controls
      preload="none"
      title={t("replyAudio")}
      onError={() => setExpired(true)}
      data-testid="answer-sound"
    />
  );
}

/** Stops the speech player; renders nothing while it is silent. */
export function StopSpeechButton() {
  const { t } = useTexts();
  if (!useIsPlaying()) return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      mb="xs"
      leftSection={<Icon name="stop" size={14} filled />}
      onClick={speechPlayer.stop}
      data-testid="stop-speech"
    >
      {t("stopSpeech")}
    </Button>
  );
}

/** Starts and stops dictation; renders nothing without a microphone or a transcription model. */
export function DictateButton({ dictation: { state, toggle } }: { readonly dictation: Dictation }) {
  const { t } = useTexts();
  const capabilities = useVoiceCapabilities();
  if (!CAN_RECORD || !capabilities?.canTranscribe) return null;
  const isRecording = state === "recording";
  return (
    <IconButton
      icon={isRecording ? "stop" : "voice"}
      size="lg"
      color={isRecording ? "red" : "gray"}
      isPressed={isRecording}
      isFilled={isRecording}
      isDisabled={state === "working"}
      label={t(isRecording ? "endDictation" : state === "working" ? "writingDictation" : "dictate")}
      onClick={toggle}
      testId="dictate"
    />
  );
}

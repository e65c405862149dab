import { Alert, Button, Group, NumberInput, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import { CAN_RECORD } from "./use-dictation.ts";
import { speak, useAutoPlay, useVoiceCapabilities } from "./use-voice.ts";

interface VoiceDialogProps {
  readonly session: Session;
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Voice settings of a conversation: on or off, voice, speed, and a sample. */
export function VoiceDialog({ session, isOpen, close }: VoiceDialogProps) {
  const { t } = useTexts();
  return (
    <Dialog title={t("voice")} opened={isOpen} onClose={close}>
      <VoiceForm session={session} />
    </Dialog>
  );
}

function VoiceForm({ session }: { readonly session: Session }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const capabilities = useVoiceCapabilities();
  const [isAutoPlay, setAutoPlay] = useAutoPlay();
  const { enabled, ...voiceSettings } = session.tts_config;
  const [voice, setVoice] = useState(voiceSettings.voice);
  const [speed, setSpeed] = useState(voiceSettings.speed);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    try {
      setBusy(true);
      setError(undefined);
      await work();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const update = (tts_config: Partial<Session["tts_config"]>) =>
    run(async () => {
      await parley.put("/api/sessions/{session_id}", { path: { session_id: session.id }, body: { tts_config } });
      await refetch(queries, ["session"]);
    });
  const switchOn = () =>
    run(async () => {
      await parley.put("/api/settings", { body: { features: { tts: true } } });
      await refetch(queries, ["settings"]);
    });
  const canSpeak = capabilities?.canSpeak === true;
  return (
    <Stack gap="sm">
      {capabilities && !capabilities.canSpeak && <MissingModelNotice text={t("noSpeechModel")} />}
      {canSpeak && !capabilities.isOn && enabled && (
        <Alert color="yellow" py="xs">
          <Group justify="space-between">
            <Text size="sm">{t("speechIsOff")}</Text>
            <Button size="compact-sm" variant="default" onClick={switchOn} loading={isBusy}>
              {t("switchOn")}
            </Button>
          </Group>
        </Alert>
      )}
      <Switch
        label={t("speakReplies")}
        description={t("speakRepliesHint")}
        checked={enabled}
        disabled={isBusy || (!canSpeak && !enabled)}
        onChange={({ currentTarget }) => void update({ enabled: currentTarget.checked })}
        data-testid="speak-replies"
      />
      <Switch
        label={t("autoPlay")}
        description={t("autoPlayHint")}
        checked={isAutoPlay}
        onChange={({ currentTarget }) => setAutoPlay(currentTarget.checked)}
        data-testid="auto-play"
      />
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t("voiceName")}
          placeholder={t("voiceModelDefault")}
          maxLength={100}
          value={voice}
          onChange={({ currentTarget }) => setVoice(currentTarget.value)}
          onBlur={() => voice !== voiceSettings.voice && void update({ voice })}
          style={{ flex: 1, minWidth: "9rem" }}
        />
        <NumberInput
          label={t("voiceSpeed")}
          min={0.25}
          max={4}
          step={0.05}
          decimalScale={2}
          value={speed}
          onChange={(value) => setSpeed(Number(value) || 1)}
          onBlur={() => speed !== voiceSettings.speed && void update({ speed })}
          w="7rem"
        />
        <Button
          variant="default"
          leftSection={<Icon name="play" size={16} />}
          onClick={() => void run(() => speak(t("voiceSample"), { voice, speed }))}
          loading={isBusy}
          disabled={!canSpeak}
          data-testid="try-voice"
        >
          {t("tryVoice")}
        </Button>
      </Group>
      <Failure error={error} />
      {capabilities && !capabilities.canTranscribe && <MissingModelNotice text={t("noTranscriptionModel")} />}
      {capabilities?.canTranscribe && !CAN_RECORD && (
        <Text size="sm" c="dimmed">
          {t("cannotRecord")}
        </Text>
      )}
    </Stack>
  );
}

function MissingModelNotice({ text }: { readonly text: string }) {
  const { t } = useTexts();
  return (
    <Text size="sm" c="dimmed">
      {text}{" "}
      <Link to="/models" className={textCss.inlineLink}>
        {t("checkModels")}
      </Link>
    </Text>
  );
}

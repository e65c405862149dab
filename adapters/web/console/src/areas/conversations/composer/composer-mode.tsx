import { SegmentedControl, Text } from "@mantine/core";
import { useTexts } from "../texts.ts";
import { type ChannelTarget, OUTSIDE_COLOR } from "../thread/channel-target.ts";
import composerCss from "./composer.module.css";

/** Destination of a message in a channel conversation: the AI, the people (as the bot), or a note. */
export type ComposerMode = "ask" | "send" | "note";

interface ModeChoiceProps {
  readonly target: ChannelTarget;
  readonly mode: ComposerMode;
  readonly onSelect: (mode: ComposerMode) => void;
}

export function ModeChoice({ target: { name, channel }, mode, onSelect }: ModeChoiceProps) {
  const { t } = useTexts();
  const hint = {
    ask: t("askHereHint", { name }),
    send: t("sendAsBotHint", { name, channel }),
    note: t("writeNoteHint"),
  }[mode];
  return (
    <div className={composerCss.mode} data-testid="mode" data-mode={mode}>
      <SegmentedControl
        size="xs"
        aria-label={t("composerMode")}
        value={mode}
        onChange={onSelect}
        color={mode === "send" ? OUTSIDE_COLOR : "parley"}
        data={[
          { value: "ask", label: t("askHere") },
          { value: "send", label: t("sendAsBot") },
          { value: "note", label: t("writeNote") },
        ]}
      />
      <Text size="xs" c="dimmed" role="status">
        {hint}
      </Text>
    </div>
  );
}

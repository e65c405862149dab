import { SegmentedControl, Text } from "@mantine/core";
import { type ChannelPlace, OUTSIDE } from "./channel-place.ts";
import composerCss from "./composer.module.css";
import { useTexts } from "./texts.ts";

/** What is to happen with what is written where other people listen. */
export type Mode = "ask" | "send" | "note";

interface ModeChoiceProps {
  readonly place: ChannelPlace;
  readonly mode: Mode;
  readonly choose: (mode: Mode) => void;
}

export function ModeChoice({ place: { name, channel }, mode, choose }: ModeChoiceProps) {
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
        aria-label={t("whatIsMeant")}
        value={mode}
        onChange={(value) => choose(value as Mode)}
        color={mode === "send" ? OUTSIDE : "parley"}
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

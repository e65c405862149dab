import { NativeSelect } from "@mantine/core";
import { useChannelChoices } from "../../shared/ui/text/use-channel-name.ts";
import { useTexts } from "./texts.ts";

interface ChannelSelectProps {
  /** Id of the channel; empty for all. */
  readonly channelId: string;
  readonly onChange: (id: string) => void;
  readonly testId: string;
}

/** Selects one channel or all, for a filter. */
export function ChannelSelect({ channelId, onChange, testId }: ChannelSelectProps) {
  const { t } = useTexts();
  const channels = useChannelChoices();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("channel")}
      value={channelId}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: "", label: t("allChannels") }, ...channels]}
      data-testid={testId}
    />
  );
}

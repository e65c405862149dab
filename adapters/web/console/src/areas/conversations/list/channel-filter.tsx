import { NativeSelect } from "@mantine/core";
import { useChannelChoices } from "../../../shared/ui/text/use-channel-name.ts";
import { useTexts } from "../texts.ts";

interface ChannelFilterProps {
  /** Empty: all. */
  readonly channelId: string;
  readonly onSelect: (channelId: string) => void;
}

/** Filters conversations by channel; renders nothing while the console is the only channel. */
export function ChannelFilter({ channelId, onSelect }: ChannelFilterProps) {
  const { t } = useTexts();
  const channelChoices = useChannelChoices().filter(({ value }) => value !== "web");
  if (channelChoices.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={t("channelFilter")}
      value={channelId}
      onChange={({ currentTarget }) => onSelect(currentTarget.value)}
      data={[{ value: "", label: t("allSources") }, { value: "web", label: t("consoleSource") }, ...channelChoices]}
      data-testid="channel-filter"
    />
  );
}

import { NativeSelect } from "@mantine/core";
import { useChannelChoices } from "../../shared/ui/use-channel-name.ts";
import { useTexts } from "./texts.ts";

interface ChannelChoiceProps {
  /** Empty: all. */
  readonly channel: string;
  readonly put: (id: string) => void;
  readonly testId: string;
}

/** Of one channel, or of all. */
export function ChannelChoice({ channel, put, testId }: ChannelChoiceProps) {
  const { t } = useTexts();
  const known = useChannelChoices();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("channel")}
      value={channel}
      onChange={({ currentTarget }) => put(currentTarget.value)}
      data={[{ value: "", label: t("allChannels") }, ...known]}
      data-testid={testId}
    />
  );
}

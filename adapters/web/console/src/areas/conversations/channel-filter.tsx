import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { channels } from "../../shared/api/channels.ts";
import { useTexts } from "./texts.ts";

interface ChannelFilterProps {
  /** Empty: all. */
  readonly channelId: string;
  readonly choose: (channelId: string) => void;
}

/** Which conversations are listed; nothing to choose where all are held in the console. */
export function ChannelFilter({ channelId, choose }: ChannelFilterProps) {
  const { t } = useTexts();
  const known = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const outside = (known.data?.items ?? []).filter(({ id }) => id !== "web");
  if (outside.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={t("channelFilter")}
      value={channelId}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: "", label: t("everywhere") },
        { value: "web", label: t("onlyConsole") },
        ...outside.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      data-testid="channel-filter"
    />
  );
}

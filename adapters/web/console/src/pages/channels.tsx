import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, channels } from "../api/channels.ts";
import { useTexts } from "../i18n.ts";
import { AddChannel } from "../parts/add-channel.tsx";
import { ChannelCard } from "../parts/channel-card.tsx";
import { ChannelForm } from "../parts/channel-form.tsx";
import { ChannelTrial } from "../parts/channel-trial.tsx";
import { Loaded } from "../parts/common.tsx";
import { Icon } from "../parts/icon.tsx";
import { Dialog, Page } from "../parts/page.tsx";

type Opened = { readonly kind: "add" } | { readonly kind: "edit" | "test"; readonly channel: Channel } | undefined;

export function ChannelsPage() {
  const { t } = useTexts();
  const list = useQuery({ queryKey: ["channel"], queryFn: channels.list, refetchOnMount: "always" });
  const [opened, setOpened] = useState<Opened>();
  const items = list.data?.items ?? [];
  const close = () => setOpened(undefined);
  const edit = (channel: Channel) => setOpened({ kind: "edit", channel });
  // A new one is not in the list yet.
  const newest = (channel: Channel) => items.find(({ id }) => id === channel.id) ?? channel;
  return (
    <Page
      title="channels"
      hint="channelsHint"
      actions={
        <Button
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setOpened({ kind: "add" })}
          data-testid="add-channel"
        >
          {t("addChannel")}
        </Button>
      }
    >
      <Loaded query={list}>
        {() => (
          <Stack gap="xs">
            {items.map((channel) => (
              <ChannelCard
                key={channel.id}
                channel={channel}
                edit={() => edit(channel)}
                test={() => setOpened({ kind: "test", channel })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <Dialog opened={opened !== undefined} onClose={close} title={titleOf(opened, t)} size="lg">
        {opened?.kind === "add" && <AddChannel taken={items.map(({ id }) => id)} done={edit} />}
        {opened?.kind === "edit" && <ChannelForm key={opened.channel.id} channel={newest(opened.channel)} />}
        {opened?.kind === "test" && <ChannelTrial channel={opened.channel} />}
      </Dialog>
    </Page>
  );
}

function titleOf(opened: Opened, t: ReturnType<typeof useTexts>["t"]): string {
  if (opened === undefined) return "";
  return opened.kind === "add" ? t("addChannel") : opened.channel.name;
}

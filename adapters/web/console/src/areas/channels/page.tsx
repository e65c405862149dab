import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, channels } from "../../shared/api/channels.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { AddChannel } from "./add-channel.tsx";
import { ChannelCard } from "./channel-card.tsx";
import { ChannelForm } from "./channel-form.tsx";
import { CompareTypes } from "./compare/compare-types.tsx";
import { TestMessage } from "./test-message.tsx";
import { useTexts } from "./texts.ts";
import { useConnectionNodes } from "./use-connection-nodes.ts";

type OpenedDialog =
  | { readonly kind: "add" }
  | { readonly kind: "compare" }
  | { readonly kind: "edit" | "set-up" | "test"; readonly channel: Channel }
  | undefined;

export function ChannelsPage() {
  const { t } = useTexts();
  const list = useQuery({ queryKey: ["channel"], queryFn: channels.list, refetchOnMount: "always" });
  // Links with `?add=true` open the form for a new channel.
  const isAdding = useSearchText("add") === "true";
  const [opened, setOpened] = useState<OpenedDialog>(isAdding ? { kind: "add" } : undefined);
  const items = list.data?.items ?? [];
  const nodeNames = useConnectionNodes(items);
  const counts = useQuery({ queryKey: ["stats", "platforms"], queryFn: channels.countMessages, retry: false });
  const close = () => setOpened(undefined);
  const edit = (channel: Channel) => setOpened({ kind: "edit", channel });
  const setUp = (channel: Channel) => setOpened({ kind: "set-up", channel });
  // A new channel may not be in the list yet.
  const toLatest = (channel: Channel) => items.find(({ id }) => id === channel.id) ?? channel;
  return (
    <Page
      title={t("channels")}
      hint={t("channelsHint")}
      actions={
        <>
          <Button variant="default" onClick={() => setOpened({ kind: "compare" })} data-testid="compare-types">
            {t("compareTypes")}
          </Button>
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setOpened({ kind: "add" })}
            data-testid="add-channel"
          >
            {t("addChannel")}
          </Button>
        </>
      }
    >
      <Loaded query={list}>
        {() => (
          <Stack gap="xs">
            {items.length === 0 && (
              <Empty
                icon="channel"
                title={t("noChannels")}
                hint={t("channelsHint")}
                action={{ label: t("addChannel"), run: () => setOpened({ kind: "add" }) }}
              />
            )}
            {items.map((channel) => (
              <ChannelCard
                key={channel.id}
                channel={channel}
                node={nodeNames.get(channel.id)}
                count={counts.data?.get(channel.id)}
                edit={() => edit(channel)}
                test={() => setOpened({ kind: "test", channel })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        title={getDialogTitle(opened, t)}
        size={opened?.kind === "compare" ? "xl" : "lg"}
      >
        {opened?.kind === "compare" && <CompareTypes />}
        {opened?.kind === "add" && <AddChannel usedIds={items.map(({ id }) => id)} onDone={setUp} />}
        {(opened?.kind === "edit" || opened?.kind === "set-up") && (
          <ChannelForm
            key={opened.channel.id}
            channel={toLatest(opened.channel)}
            isNew={opened.kind === "set-up" && !toLatest(opened.channel).enabled}
          />
        )}
        {opened?.kind === "test" && <TestMessage channel={opened.channel} />}
      </Dialog>
    </Page>
  );
}

function getDialogTitle(opened: OpenedDialog, t: ReturnType<typeof useTexts>["t"]): string {
  if (opened === undefined) return "";
  if (opened.kind === "compare") return t("compareTypes");
  if (opened.kind === "add") return t("addChannel");
  return opened.channel.name;
}

import { Badge, Button, SegmentedControl, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import textCss from "../../shared/styles/text.module.css";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { broadcasts, type Recipient } from "./api.ts";
import { useTexts } from "./texts.ts";

const STATES = ["all", "waiting", "sent", "delivered", "failed"] as const;
const COLORS: Readonly<Record<Recipient["state"], string>> = {
  waiting: "gray",
  sent: "blue",
  delivered: "parley",
  failed: "red",
};

/** The delivery state of each recipient of a broadcast. */
export function Recipients({ id, text }: { readonly id: string; readonly text: string }) {
  const { t } = useTexts();
  const [filter, setFilter] = useState<(typeof STATES)[number]>("all");
  const state = filter === "all" ? undefined : filter;
  const query = usePagedList({
    queryKey: ["broadcast", id, "recipients", state],
    read: (page) => broadcasts.listRecipients(id, state, page),
    getId: ({ session_id }) => session_id,
  });
  return (
    <>
      <Text size="sm" mb="sm" className={textCss.wrapped}>
        {text}
      </Text>
      <SegmentedControl
        size="xs"
        value={filter}
        onChange={setFilter}
        aria-label={t("showing")}
        data={STATES.map((value) => ({ value, label: t(value === "all" ? "all" : `recipient_${value}`) }))}
      />
      <RecordList
        query={query}
        getId={({ session_id }) => session_id}
        columns={[t("conversation"), t("state"), t("why")]}
        actions={t("open")}
        empty={
          <Text size="sm" c="dimmed" mt="sm">
            {t("noRecipients")}
          </Text>
        }
        isEndless
        row={(recipient) => <RecipientRow recipient={recipient} />}
      />
    </>
  );
}

function RecipientRow({ recipient }: { readonly recipient: Recipient }) {
  const { t } = useTexts();
  const channelName = useChannelName();
  const { session_id, name, channel_id, state, error } = recipient;
  return (
    <RecordRow
      testId="recipient-row"
      cells={[
        <div key="who">
          {name}
          <Text size="xs" c="dimmed">
            {channelName(channel_id)}
          </Text>
        </div>,
        <Badge key="state" variant="light" color={COLORS[state]} data-state={state}>
          {t(`recipient_${state}`)}
        </Badge>,
        error?.error,
      ]}
      actions={
        <Button size="compact-sm" variant="subtle" component={Link} to={`/sessions/${encodeURIComponent(session_id)}`}>
          {t("open")}
        </Button>
      }
    />
  );
}

import { SegmentedControl, Stack, Text } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { formatShortTime, Loaded } from "../../../shared/ui/common.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { LoadMore } from "../../../shared/ui/table/load-more.tsx";
import { type PagedList, usePagedList } from "../../../shared/ui/table/use-paged-list.ts";
import { useTexts } from "../texts.ts";
import sessionListCss from "./session-list.module.css";

type FavoriteCollection = DataOf<"get", "/api/message-favorites">["items"][number];

const TABS = ["saved", "good", "bad"] as const;
type Tab = (typeof TABS)[number];
const TAB_TITLES = { saved: "starred", good: "rateGood", bad: "rateBad" } as const;

/** One saved or rated message and its conversation. */
interface SavedMessage {
  readonly key: string;
  readonly sessionId: string;
  readonly sessionName: string;
  readonly messageId: string;
  readonly sender: string;
  readonly role: string;
  readonly timestamp: string;
  readonly text: string;
}

/** Saved messages and rated replies; each links to its message. */
export function SavedMessagesDialog({ close }: { readonly close: () => void }) {
  const { t } = useTexts();
  const [tab, setTab] = useState<Tab>("saved");
  return (
    <Dialog opened onClose={close} title={t("starredMessages")} size="lg">
      <SegmentedControl
        fullWidth
        mb="sm"
        aria-label={t("show")}
        value={tab}
        onChange={setTab}
        data={TABS.map((value) => ({ value, label: t(TAB_TITLES[value]) }))}
      />
      {tab === "saved" ? <SavedMessages close={close} /> : <RatedMessages key={tab} rating={tab} close={close} />}
    </Dialog>
  );
}

interface TabProps {
  readonly close: () => void;
}

/** The saved messages; a collection may have several. */
function SavedMessages({ close }: TabProps) {
  const { t } = useTexts();
  const list = usePagedList({
    queryKey: ["saved", "saved"],
    read: (page) => parley.get("/api/message-favorites", { query: page }),
    getId: ({ id }) => id,
  });
  return (
    <MessageList list={list} toMessages={fromCollection} empty={[t("noStarred"), t("noStarredHint")]} close={close} />
  );
}

/** The replies that were rated good or bad. */
function RatedMessages({ rating, close }: TabProps & { readonly rating: "good" | "bad" }) {
  const { t } = useTexts();
  const list = usePagedList({
    queryKey: ["saved", rating],
    read: (page) => parley.get("/api/messages", { query: { rating, archived: "all", ...page } }),
    getId: ({ message_id }) => message_id,
  });
  return (
    <MessageList
      list={list}
      toMessages={(one) => [fromRatedMessage(one)]}
      empty={[t("noRated"), t("noRatedHint")]}
      close={close}
    />
  );
}

interface MessageListProps<Item> extends TabProps {
  readonly list: PagedList<Item>;
  readonly toMessages: (item: Item) => readonly SavedMessage[];
  /** Title and hint in place of an empty list. */
  readonly empty: readonly [title: string, hint: string];
}

function MessageList<Item>({ list, toMessages, empty: [title, hint], close }: MessageListProps<Item>) {
  const { t, language } = useTexts();
  return (
    <Loaded query={list}>
      {({ items }) => (
        <Stack gap={2}>
          {items.length === 0 && <Empty icon="star" title={title} hint={hint} isSmall />}
          {items
            .flatMap(toMessages)
            .map(({ key, sessionId, sessionName, messageId, sender, role, timestamp, text }) => (
              <Link
                key={key}
                {...toSessionAddress(sessionId, messageId)}
                className={sessionListCss.session}
                onClick={close}
                data-testid="starred-message"
              >
                <Text size="xs" c="dimmed" truncate w="100%">
                  {`${sessionName} · ${sender || t(role === "user" ? "you" : "ai")} · ${formatShortTime(timestamp, language)}`}
                </Text>
                <Text size="sm" lineClamp={3} dir="auto">
                  {text}
                </Text>
              </Link>
            ))}
          <LoadMore list={list} isEndless />
        </Stack>
      )}
    </Loaded>
  );
}

function fromCollection({ id, session_id, session_name, messages }: FavoriteCollection): readonly SavedMessage[] {
  return messages.map((message) => ({
    key: `${id}-${message.id}`,
    sessionId: session_id,
    sessionName: session_name,
    messageId: message.id,
    sender: message.sender,
    role: message.role,
    timestamp: message.timestamp,
    text: message.content,
  }));
}

function fromRatedMessage(one: Shapes["FoundMessage"]): SavedMessage {
  return {
    key: one.message_id,
    sessionId: one.session_id,
    sessionName: one.session_name,
    messageId: one.message_id,
    sender: one.sender,
    role: one.role,
    timestamp: one.timestamp,
    text: one.excerpt,
  };
}

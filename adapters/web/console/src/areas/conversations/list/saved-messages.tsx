import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { MAX_LIMIT_QUERY, parley } from "../../../shared/api/client.ts";
import { formatShortTime, Loaded } from "../../../shared/ui/common.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { ShowMore, usePaging } from "../../../shared/ui/table/show-more.tsx";
import { useTexts } from "../texts.ts";
import sessionListCss from "./session-list.module.css";

const TABS = ["saved", "good", "bad"] as const;
type Tab = (typeof TABS)[number];
const TAB_TITLES = { saved: "starred", good: "rateGood", bad: "rateBad" } as const;
const PAGE_SIZE = 50;

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
      <SavedMessageList key={tab} tab={tab} close={close} />
    </Dialog>
  );
}

function SavedMessageList({ tab, close }: { readonly tab: Tab; readonly close: () => void }) {
  const { t, language } = useTexts();
  const paging = usePaging(PAGE_SIZE);
  const { limit } = paging;
  const lines = useQuery({
    queryKey: ["saved", tab, limit],
    queryFn: () => (tab === "saved" ? fetchSavedMessages() : fetchRatedMessages(tab, limit)),
  });
  return (
    <Loaded query={lines}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty
            icon="star"
            title={t(tab === "saved" ? "noStarred" : "noRated")}
            hint={t(tab === "saved" ? "noStarredHint" : "noRatedHint")}
            isSmall
          />
        ) : (
          <Stack gap={2}>
            {items.map(({ key, sessionId, sessionName, messageId, sender, role, timestamp, text }) => (
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
            <ShowMore {...paging} shownCount={tab === "saved" ? total : items.length} total={total} />
          </Stack>
        )
      }
    </Loaded>
  );
}

async function fetchSavedMessages() {
  const { items } = await parley.get("/api/message-favorites", { query: MAX_LIMIT_QUERY });
  const lines = items.flatMap(({ id, session_id, session_name, messages }) =>
    messages.map(
      (message): SavedMessage => ({
        key: `${id}-${message.id}`,
        sessionId: session_id,
        sessionName: session_name,
        messageId: message.id,
        sender: message.sender,
        role: message.role,
        timestamp: message.timestamp,
        text: message.content,
      }),
    ),
  );
  return { items: lines, total: lines.length };
}

async function fetchRatedMessages(rating: "good" | "bad", limit: number) {
  const { items, total } = await parley.get("/api/messages", { query: { rating, archived: "all", limit } });
  const lines = items.map(
    (one): SavedMessage => ({
      key: one.message_id,
      sessionId: one.session_id,
      sessionName: one.session_name,
      messageId: one.message_id,
      sender: one.sender,
      role: one.role,
      timestamp: one.timestamp,
      text: one.excerpt,
    }),
  );
  return { items: lines, total };
}

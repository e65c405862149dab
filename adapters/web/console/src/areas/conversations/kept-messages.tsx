import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ALL, parley } from "../../shared/api/client.ts";
import { Loaded, shortTimeOf } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import sessionListCss from "./session-list.module.css";
import { useTexts } from "./texts.ts";

const SHOWN = ["kept", "good", "bad"] as const;
type Shown = (typeof SHOWN)[number];
const TITLES = { kept: "kept", good: "rateGood", bad: "rateBad" } as const;
const STEP = 50;

/** One message that is kept or rated, and where it was said. */
interface Line {
  readonly key: string;
  readonly sessionId: string;
  readonly session: string;
  readonly messageId: string;
  readonly sender: string;
  readonly role: string;
  readonly timestamp: string;
  readonly text: string;
}

/** What people kept of what was said, and the answers they found good or bad; each leads to its place. */
export function KeptMessages({ close }: { readonly close: () => void }) {
  const { t } = useTexts();
  const [shown, setShown] = useState<Shown>("kept");
  return (
    <Dialog opened onClose={close} title={t("keptMessages")} size="lg">
      <SegmentedControl
        fullWidth
        mb="sm"
        aria-label={t("show")}
        value={shown}
        onChange={(value) => setShown(value as Shown)}
        data={SHOWN.map((value) => ({ value, label: t(TITLES[value]) }))}
      />
      <Lines key={shown} shown={shown} close={close} />
    </Dialog>
  );
}

function Lines({ shown, close }: { readonly shown: Shown; readonly close: () => void }) {
  const { t, language } = useTexts();
  const longer = useLonger(STEP);
  const { limit } = longer;
  const lines = useQuery({
    queryKey: ["kept", shown, limit],
    queryFn: () => (shown === "kept" ? keptLines() : ratedLines(shown, limit)),
  });
  return (
    <Loaded query={lines}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty
            icon="star"
            title={t(shown === "kept" ? "nothingKept" : "nothingRated")}
            hint={t(shown === "kept" ? "nothingKeptHint" : "nothingRatedHint")}
            isSmall
          />
        ) : (
          <Stack gap={2}>
            {items.map(({ key, sessionId, session, messageId, sender, role, timestamp, text }) => (
              <Link
                key={key}
                to="/sessions/$sessionId"
                params={{ sessionId }}
                search={{ message: messageId } as never}
                className={sessionListCss.session}
                onClick={close}
                data-testid="kept-message"
              >
                <Text size="xs" c="dimmed" truncate w="100%">
                  {`${session} · ${sender || t(role === "user" ? "you" : "ai")} · ${shortTimeOf(timestamp, language)}`}
                </Text>
                <Text size="sm" lineClamp={3} dir="auto">
                  {text}
                </Text>
              </Link>
            ))}
            <ShowMore {...longer} shown={shown === "kept" ? total : items.length} total={total} />
          </Stack>
        )
      }
    </Loaded>
  );
}

async function keptLines() {
  const { items } = await parley.get("/api/message-favorites", { query: ALL });
  const lines = items.flatMap(({ id, session_id, session_name, messages }) =>
    messages.map(
      (message): Line => ({
        key: `${id}-${message.id}`,
        sessionId: session_id,
        session: session_name,
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

async function ratedLines(rating: "good" | "bad", limit: number) {
  const { items, total } = await parley.get("/api/messages", { query: { rating, archived: "all", limit } });
  const lines = items.map(
    (one): Line => ({
      key: one.message_id,
      sessionId: one.session_id,
      session: one.session_name,
      messageId: one.message_id,
      sender: one.sender,
      role: one.role,
      timestamp: one.timestamp,
      text: one.excerpt,
    }),
  );
  return { items: lines, total };
}

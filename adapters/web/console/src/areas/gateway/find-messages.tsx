import { Button, Checkbox, Group, NativeSelect, Text, TextInput, Title, UnstyledButton } from "@mantine/core";
import { UNANSWERED_REASONS } from "@parley/core/unanswered-reasons";
import { useState } from "react";
import { gateway, type MessageQuery, type TracedMessage } from "../../shared/api/gateway.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import eventListCss from "../../shared/styles/event-list.module.css";
import textCss from "../../shared/styles/text.module.css";
import { formatShortTime, Loaded } from "../../shared/ui/common.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelChoices, useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { type TextKey, useTexts } from "./texts.ts";

/** Pattern of ids that need no other search field. */
const TRACE_ID = /^(gw|log|dlv|qi)_\w+$|^event-\w+$/;
const EMPTY_SEARCH = { words: "", sender: "", channel: "", since: "", until: "", unanswered: false };
type Draft = typeof EMPTY_SEARCH;

interface FindMessagesProps {
  readonly openTrace: (traceId: string) => void;
}

/** Finds messages by words, sender, channel and time, or by an id. */
export function FindMessages({ openTrace }: FindMessagesProps) {
  const { t } = useTexts();
  const [draft, setDraft] = useState<Draft>(EMPTY_SEARCH);
  const [search, setSearch] = useState<MessageQuery>();
  const channels = useChannelChoices();
  const field = (name: Exclude<keyof Draft, "unanswered">) => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      setDraft((before) => ({ ...before, [name]: value })),
  });
  const time = (name: "since" | "until") => ({
    kind: "moment" as const,
    value: draft[name],
    onChange: (at: string) => setDraft((before) => ({ ...before, [name]: at })),
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const words = draft.words.trim();
    if (TRACE_ID.test(words)) openTrace(words);
    else setSearch(toQuery(draft));
  };
  return (
    <section aria-labelledby="find-message">
      <Title order={2} size="h4" id="find-message" mt="xl">
        {t("findTrace")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("findTraceHint")}
      </Text>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs" mt="xs">
          <TextInput
            {...field("words")}
            label={t("findWords")}
            maxLength={200}
            style={{ flex: "1 1 16rem" }}
            data-testid="trace-id"
          />
          <TextInput {...field("sender")} label={t("findSender")} maxLength={128} data-testid="find-sender" />
          <NativeSelect
            {...field("channel")}
            label={t("channel")}
            data={[{ value: "", label: t("anywhere") }, ...channels]}
            data-testid="find-channel"
          />
          <Group align="flex-end" gap="xs">
            <TimeInput {...time("since")} label={t("findSince")} data-testid="find-since" />
            <TimeInput {...time("until")} label={t("findUntil")} data-testid="find-until" />
            <Checkbox
              label={t("findUnanswered")}
              checked={draft.unanswered}
              onChange={({ currentTarget: { checked } }) => setDraft((before) => ({ ...before, unanswered: checked }))}
              mb={8}
              data-testid="find-unanswered"
            />
            <Button type="submit" variant="default" data-testid="find-trace">
              {t("find")}
            </Button>
          </Group>
        </Group>
      </form>
      {search && <FoundMessages query={search} openTrace={openTrace} />}
    </section>
  );
}

function toQuery({ words, sender, channel, since, until, unanswered }: Draft): MessageQuery {
  return {
    ...(unanswered && { unanswered }),
    ...(words.trim() !== "" && { q: words.trim() }),
    ...(sender.trim() !== "" && { sender: sender.trim() }),
    ...(channel !== "" && { channel_id: channel }),
    ...(since !== "" && { since: new Date(since).toISOString() }),
    ...(until !== "" && { until: new Date(until).toISOString() }),
  };
}

function FoundMessages({ query, openTrace }: FindMessagesProps & { readonly query: MessageQuery }) {
  const { t } = useTexts();
  const results = usePagedList({
    queryKey: ["gateway", "messages", query],
    read: (_page, cursor) => gateway.findMessages({ ...query, ...(cursor !== "" && { cursor }) }),
    getId: ({ item_id }) => item_id,
  });
  return (
    <div data-testid="found-messages" aria-live="polite" style={{ marginTop: ".75rem" }}>
      <Loaded query={results}>
        {({ items }) => {
          if (items.length === 0 && results.hasNextPage) return null;
          return items.length === 0 ? (
            <Text size="sm" c="dimmed" mt="xs">
              {t("foundNothing")}
            </Text>
          ) : (
            <div className={eventListCss.lines}>
              {items.map((message) => (
                <FoundMessageRow key={message.item_id} message={message} openTrace={openTrace} />
              ))}
            </div>
          );
        }}
      </Loaded>
      <LoadMore list={results} />
    </div>
  );
}

const STATE_TEXTS = {
  waiting: "state_waiting",
  running: "state_running",
  done: "state_done",
  ignored: "state_ignored",
  skipped: "state_skipped",
  stopped: "state_stopped",
  expired: "state_expired",
  failed: "state_failed",
  dead: "state_dead",
} as const satisfies Record<TracedMessage["state"], TextKey>;
/** States in which the reason says more than the state. */
const EXPLAINED_STATES = new Set<TracedMessage["state"]>(["done", "ignored", "skipped", "failed"]);
const FAILED_STATES = new Set<TracedMessage["state"]>(["expired", "failed", "dead"]);

function FoundMessageRow({ message, openTrace }: FindMessagesProps & { readonly message: TracedMessage }) {
  const { t, language } = useTexts();
  const channelName = useChannelName();
  const toText = useLocalized();
  const { trace_id, channel_id, sender, text, state, cause, unanswered_reason: reason, created_at } = message;
  const isBrokenOff = state === "done" && cause === "broke_off";
  return (
    <UnstyledButton className={eventListCss.event} onClick={() => openTrace(trace_id)} data-testid="found-message">
      <span className={textCss.meta}>{formatShortTime(created_at, language)}</span>
      <Text
        span
        size="sm"
        fw={500}
        {...((isBrokenOff || FAILED_STATES.has(state)) && { c: "var(--mantine-color-red-light-color)" })}
      >
        {isBrokenOff ? t("state_broke_off") : t(reason && state === "done" ? "state_unanswered" : STATE_TEXTS[state])}
      </Text>
      <span className={textCss.meta}>
        {[channelName(channel_id), sender.name || sender.id].filter(Boolean).join(" · ")}
      </span>
      <Text span size="sm" lineClamp={2}>
        {text}
        {reason && EXPLAINED_STATES.has(state) && (
          <span className={textCss.meta}>{` · ${toText(UNANSWERED_REASONS[reason])}`}</span>
        )}
      </Text>
    </UnstyledButton>
  );
}

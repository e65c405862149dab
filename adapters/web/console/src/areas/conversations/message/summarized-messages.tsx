import { Button } from "@mantine/core";
import type { Message } from "@parley/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import textCss from "../../../shared/styles/text.module.css";
import { useTexts } from "../texts.ts";

const PAGE_SIZE = 100;

/** Returns the number of messages that a summary replaces; 0 for other messages and older summaries. */
export function countSummarized({ kind, metadata }: Message): number {
  const { count } = toRange(metadata.replaces);
  return kind === "summary" && Number.isInteger(count) ? count : 0;
}

/** The messages that a summary replaces; they are loaded when they are opened. */
export function SummarizedMessages({ message }: { readonly message: Message }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={textCss.folded}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      data-testid="summarized"
    >
      <summary>{t("summarizedShow")}</summary>
      {isOpen && <ArchivedMessages message={message} />}
    </details>
  );
}

function ArchivedMessages({ message: { session_id, metadata, id } }: { readonly message: Message }) {
  const { t } = useTexts();
  const { from_seq, to_seq } = toRange(metadata.replaces);
  const { data, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ["archived_message", session_id, id],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      parley.get("/api/sessions/{session_id}/messages", {
        path: { session_id },
        query: { archived: true, order: "desc", limit: PAGE_SIZE, offset },
        signal,
      }),
    getNextPageParam: ({ items, offset, total }) => (offset + items.length < total ? offset + items.length : undefined),
  });
  const messages = (data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ seq }) => seq >= from_seq && seq <= to_seq)
    .toReversed();
  return (
    <>
      {hasNextPage && (
        <Button size="compact-xs" variant="subtle" loading={isFetching} onClick={() => void fetchNextPage()}>
          {t("summarizedEarlier")}
        </Button>
      )}
      {messages.map(({ id: messageId, sender, role, content }) => (
        <p key={messageId} dir="auto" data-testid="summarized-message">
          <b>{sender || t(role === "user" ? "somebody" : "ai")}</b> {content}
        </p>
      ))}
    </>
  );
}

function toRange(replaces: unknown): { readonly from_seq: number; readonly to_seq: number; readonly count: number } {
  const { from_seq, to_seq, count } = toJsonObject(replaces);
  return { from_seq: Number(from_seq), to_seq: Number(to_seq), count: Number(count) };
}

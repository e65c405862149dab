import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError, parley, type Shapes } from "../../../shared/api/client.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";

type Hit = Shapes["FilterHit"];
/** Blocked messages by the id of the message they follow; "" for those before the first one. */
export type FilterMarks = ReadonlyMap<string, readonly Hit[]>;

const MAX_HITS = 200;
const NO_HITS: readonly Hit[] = [];

/** Fetches the blocked messages of a conversation and places them among the loaded messages. */
export function useFilterMarks(sessionId: string, messages: readonly Message[], hasOlder: boolean): FilterMarks {
  const { data = NO_HITS } = useQuery({
    queryKey: ["filter_hit", sessionId],
    queryFn: () => fetchBlockedHits(sessionId),
  });
  return useMemo(() => groupHitsByMessage(data, messages, hasOlder), [data, messages, hasOlder]);
}

async function fetchBlockedHits(session_id: string): Promise<readonly Hit[]> {
  try {
    const query = { session_id, blocked: true, limit: MAX_HITS };
    return (await parley.get("/api/message-filter/hits", { query })).items;
  } catch (error) {
    // Without the filter plugin nothing is blocked.
    if (error instanceof ApiError && error.code === "not_found") return NO_HITS;
    throw error;
  }
}

function groupHitsByMessage(hits: readonly Hit[], messages: readonly Message[], hasOlder: boolean): FilterMarks {
  const marks = new Map<string, Hit[]>();
  for (const hit of hits.toReversed()) {
    const question = messages.find(({ trace_id }) => trace_id === hit.trace_id);
    const before = question ?? messages.findLast(({ timestamp }) => timestamp <= hit.created_at);
    // It belongs to a page that is not loaded yet.
    if (!before && hasOlder) continue;
    const key = before?.id ?? "";
    const known = marks.get(key);
    if (known) known.push(hit);
    else marks.set(key, [hit]);
  }
  return marks;
}

/** Marks blocked messages. The service sends their text only to users who may read it. */
export function FilterMark({ hits = NO_HITS }: { readonly hits: readonly Hit[] | undefined }) {
  const { t } = useTexts();
  return hits.map(({ id, direction, sender, text }) => (
    <div key={id} className={`${messageCss.message} ${messageCss.blocked}`} data-testid="blocked-mark">
      <Icon name="filter" size={14} />
      <span>
        {direction === "ai"
          ? t("blockedAnswer")
          : sender === ""
            ? t("blockedMessage")
            : t("blockedFrom", { name: sender })}
      </span>
      {text !== null && (
        <details>
          <summary>{t("blockedShow")}</summary>
          <q dir="auto">{text}</q>
        </details>
      )}
    </div>
  ));
}

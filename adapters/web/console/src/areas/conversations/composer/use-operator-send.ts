import type { Attachment } from "@parley/core";
import { useRef, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { useTexts } from "../texts.ts";

interface OperatorSend {
  /** Sends the message; false on failure, with `error` set. A note is only stored here. */
  send(content: string, attachments: readonly Attachment[], isNote: boolean, replyTo?: string): Promise<boolean>;
  readonly isBusy: boolean;
  /** Stored, but not yet accepted by the platform. */
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Sends a message to the people of a channel as the bot, or adds a note they do not see. */
export function useOperatorSend(sessionId: string): OperatorSend {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  // One that may have arrived is repeated under the same key.
  const doubtful = useRef<{ readonly body: string; readonly key: string }>(undefined);
  return {
    isBusy,
    isPending,
    error,
    async send(content, attachments, isNote, replyTo) {
      const own = { content, attachments, ...(replyTo !== undefined && { reply_to: replyTo }) };
      const message = isNote
        ? { ...own, metadata: { operator_only: true, note: true } }
        : { ...own, role: "assistant" as const, deliver: true };
      const body = JSON.stringify(message);
      const key = doubtful.current?.body === body ? doubtful.current.key : createIdempotencyKey();
      setBusy(true);
      setError(undefined);
      setPending(false);
      try {
        const { blocked, delivery } = await parley.post("/api/sessions/{session_id}/messages", {
          path: { session_id: sessionId },
          body: message,
          idempotencyKey: key,
        });
        doubtful.current = undefined;
        if (blocked) throw new Error(t("blockedWhole"));
        setPending(delivery?.status === "pending");
        return true;
      } catch (thrown) {
        doubtful.current = thrown instanceof ApiError && thrown.status === 0 ? { body, key } : undefined;
        setError(thrown);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

function createIdempotencyKey(): string {
  return `op-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
}

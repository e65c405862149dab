import type { Attachment } from "@parley/core";
import { useRef, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { useTexts } from "../texts.ts";

interface OperatorSend {
  /** Sends the message, or only stores it if it is a note; false on failure, with `error` set. */
  send(content: string, attachments: readonly Attachment[], isNote: boolean, replyTo?: string): Promise<boolean>;
  readonly isBusy: boolean;
  /** True when the last message is stored but not yet accepted by the platform. */
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Sends a message to the people of a channel as the bot, or adds a note they do not see. */
export function useOperatorSend(sessionId: string): OperatorSend {
  const { t } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  // A request without a response may have arrived: its repetition has the same key, so the message is sent once.
  const unconfirmed = useRef<{ readonly body: string; readonly key: string }>(undefined);
  return {
    isBusy,
    isPending,
    error,
    async send(content, attachments, isNote, replyTo) {
      const fields = { content, attachments, ...(replyTo !== undefined && { reply_to: replyTo }) };
      const message = isNote
        ? { ...fields, metadata: { operator_only: true, note: true } }
        : { ...fields, role: "assistant" as const, deliver: true };
      const body = JSON.stringify(message);
      const key = unconfirmed.current?.body === body ? unconfirmed.current.key : createIdempotencyKey();
      setBusy(true);
      setError(undefined);
      setPending(false);
      try {
        const { blocked, delivery } = await parley.post("/api/sessions/{session_id}/messages", {
          path: { session_id: sessionId },
          body: message,
          idempotencyKey: key,
        });
        unconfirmed.current = undefined;
        if (blocked) throw new Error(t("blockedWhole"));
        setPending(delivery?.status === "pending");
        return true;
      } catch (thrown) {
        unconfirmed.current = thrown instanceof ApiError && thrown.status === 0 ? { body, key } : undefined;
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

import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { ConfirmButton, Failure } from "./common.tsx";
import { IconButton } from "./icon-button.tsx";
import type { MessageProps } from "./message.tsx";

/** What can be done with one message; shown when it is pointed at or reached with the keyboard. */
export function MessageActions({
  message,
  isLastReply,
  isBusy,
  regenerate,
  edit,
}: MessageProps & { readonly edit: () => void }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isCopied, setCopied] = useState(false);
  const session = `/api/sessions/${encodeURIComponent(message.session_id)}`;
  const tried = (work: () => Promise<unknown>) => () => {
    setError(undefined);
    work().catch(setError);
  };
  const fork = tried(async () => {
    const { id } = await api.post<{ id: string }>(`${session}/fork`, { message_id: message.id });
    await queries.invalidateQueries({ queryKey: ["session"] });
    await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  });
  const copy = tried(async () => {
    await navigator.clipboard.writeText(message.content);
    setCopied(true);
  });
  // Without TLS a page has no clipboard.
  const canCopy = navigator.clipboard !== undefined && message.content !== "";
  const canRegenerate = !isBusy && (isLastReply || message.error !== null) && message.kind === "normal";
  const isReply = message.role === "assistant";
  return (
    <fieldset className="row actions" aria-label={t("messageActions")}>
      {canRegenerate && (
        <IconButton
          icon="refresh"
          size="sm"
          label={t("regenerate")}
          testId="regenerate"
          onClick={() => void regenerate(isReply ? message.id : undefined)}
        />
      )}
      {canCopy && (
        <IconButton
          icon={isCopied ? "check" : "copy"}
          size="sm"
          label={t(isCopied ? "copied" : "copyText")}
          testId="copy"
          onClick={copy}
        />
      )}
      {!isBusy && <IconButton icon="edit" size="sm" label={t("edit")} testId="edit" onClick={edit} />}
      <IconButton icon="fork" size="sm" label={t("forkHere")} testId="fork-here" onClick={fork} />
      {!isBusy && (
        <ConfirmButton
          label={t("removeMessage")}
          text={t("removeMessageHint")}
          icon="trash"
          size="sm"
          testId="delete"
          run={() => api.remove(`${session}/messages/${message.id}`)}
        />
      )}
      <Failure error={error} />
    </fieldset>
  );
}

import { Button, Group, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import type { LiveConversation } from "../live/use-conversation.ts";
import { Failure, useTried } from "./common.tsx";
import { MessageItem, SaidSoFar } from "./message.tsx";
import type { MessageDeeds } from "./message-actions.tsx";
import { Dialog } from "./page.tsx";
import { PendingItem } from "./pending-item.tsx";

/** Every message is drawn when it changes only, however many there are and however fast a reply streams. */
export function Messages({ talk }: { readonly talk: LiveConversation }) {
  const { t } = useTexts();
  const { messages, streaming, pending, state } = talk;
  const { deeds, doomed, spare, error } = useDeeds(talk);
  const lastReply = messages.findLast(({ role }) => role === "assistant")?.id;
  const isEmpty = messages.length === 0 && pending.length === 0 && !streaming;
  return (
    <>
      {isEmpty && state === "fresh" && (
        <Text c="dimmed" size="sm" ta="center" mt="xl">
          {t("noMessages")}
        </Text>
      )}
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} isLastReply={message.id === lastReply} deeds={deeds} />
      ))}
      {streaming && <SaidSoFar streaming={streaming} />}
      {pending.map((one) => (
        <PendingItem key={one.tempId} pending={one} again={talk.sayAgain} dismiss={talk.dismiss} />
      ))}
      <Failure error={error} />
      <RemoveDialog message={doomed} close={spare} />
    </>
  );
}

/** What messages can have done to them; stays the same object for as long as the list is there. */
function useDeeds(talk: LiveConversation) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [doomed, setDoomed] = useState<Message>();
  const [error, setError] = useState<unknown>();
  const latest = useRef(talk);
  latest.current = talk;
  const deeds = useMemo<MessageDeeds>(() => {
    const fork = async ({ session_id, id: message_id }: Message) => {
      const made = await api.post<{ id: string }>(`/api/sessions/${encodeURIComponent(session_id)}/fork`, {
        message_id,
      });
      await queries.invalidateQueries({ queryKey: ["session"] });
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: made.id } });
    };
    return {
      regenerate: (messageId) => latest.current.regenerate(messageId),
      fork: (message) => {
        setError(undefined);
        fork(message).catch(setError);
      },
      remove: setDoomed,
    };
  }, [queries, navigate]);
  return { deeds, doomed, spare: () => setDoomed(undefined), error };
}

interface RemoveDialogProps {
  readonly message: Message | undefined;
  readonly close: () => void;
}

function RemoveDialog({ message, close }: RemoveDialogProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried([]);
  const remove = tried(async () => {
    if (message) await api.remove(`/api/sessions/${encodeURIComponent(message.session_id)}/messages/${message.id}`);
    close();
  });
  return (
    <Dialog opened={message !== undefined} onClose={close} title={t("removeMessage")}>
      <Text size="sm">{t("removeMessageHint")}</Text>
      <Failure error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {t("cancel")}
        </Button>
        <Button color="red" onClick={remove} loading={isBusy} data-autofocus>
          {t("removeMessage")}
        </Button>
      </Group>
    </Dialog>
  );
}

import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Channel, channels } from "../../shared/api/channels.ts";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { useTexts } from "./texts.ts";

/** Sends a test message to a conversation and shows the platform's response. */
export function TestMessage({ channel: { id } }: { readonly channel: Channel }) {
  const { t } = useTexts();
  const [conversation, setConversation] = useState("");
  const [text, setText] = useState(t("testText"));
  const [isGroup, setGroup] = useState(false);
  const [outcome, setOutcome] = useState("");
  const { toHandler, isBusy, error } = useAction([["channel"]]);
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    setOutcome("");
    void toHandler(async () => {
      const sent = await channels.sendTestMessage(id, { conversation_id: conversation, text, is_group: isGroup });
      setOutcome(
        [t(sent.quality === "confirmed" ? "sentConfirmed" : "sentAccepted"), sent.platform_message_id]
          .filter(Boolean)
          .join(" · "),
      );
    })();
  };
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <TextInput
          label={t("conversationId")}
          description={t("conversationIdHint")}
          value={conversation}
          onChange={({ currentTarget }) => setConversation(currentTarget.value)}
          required
          maxLength={128}
          data-autofocus
        />
        <TextInput
          label={t("text")}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          required
        />
        <Switch
          label={t("isGroup")}
          checked={isGroup}
          onChange={({ currentTarget }) => setGroup(currentTarget.checked)}
        />
        <Failure error={error} />
        {outcome && (
          <Alert color="parley" py="xs" role="status">
            {t("sentAs")} {outcome}
          </Alert>
        )}
        <Group justify="flex-end">
          <CancelButton isClose />
          <Button type="submit" loading={isBusy}>
            {t("sendNow")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";

/** Switches the greeting of a character until it has a reply. */
export function GreetingSwipe({ message }: { readonly message: Message }) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction([]);
  const path = { session_id: message.session_id };
  const { data } = useQuery({
    queryKey: ["session", "greetings", message.session_id],
    queryFn: () => parley.get("/api/sessions/{session_id}/greetings", { path }),
  });
  const greetings = data?.items ?? [];
  if (greetings.length < 2) return null;
  const index = greetings.indexOf(message.content);
  const show = (step: number) =>
    toHandler(async () => {
      const content = greetings[(index + step + greetings.length) % greetings.length] ?? "";
      await parley.put("/api/sessions/{session_id}/messages/{message_id}", {
        path: { ...path, message_id: message.id },
        body: { content },
      });
    });
  return (
    <span className={messageCss.swipe} data-testid="greeting-swipe">
      <IconButton
        icon="back"
        size="sm"
        label={t("previousGreeting")}
        isDisabled={isBusy}
        onClick={() => void show(-1)()}
      />
      <span aria-live="polite">{`${index + 1} / ${greetings.length}`}</span>
      <IconButton
        icon="next"
        size="sm"
        label={t("nextGreeting")}
        isDisabled={isBusy}
        onClick={() => void show(1)()}
        testId="next-greeting"
      />
      <Failure error={error} />
    </span>
  );
}

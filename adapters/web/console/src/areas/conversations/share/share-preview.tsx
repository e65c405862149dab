import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Loaded } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import { publications, type ShareOptions, type SharePreview } from "./api.ts";
import shareCss from "./share.module.css";

const DEBOUNCE_MS = 200;

/** A preview of the shared conversation, as the service would publish it. */
export function SharePreviewPanel({
  sessionId,
  options,
}: {
  readonly sessionId: string;
  readonly options: ShareOptions;
}) {
  const { t } = useTexts();
  const [debouncedOptions] = useDebouncedValue(options, DEBOUNCE_MS);
  const preview = useQuery({
    queryKey: ["share", sessionId, "preview", debouncedOptions],
    queryFn: () => publications.preview(sessionId, debouncedOptions),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return (
    <section aria-label={t("sharePreview")}>
      <Text size="sm" fw={500}>
        {t("sharePreview")}
      </Text>
      <Loaded query={preview}>{(shown) => <SharedConversation conversation={shown} />}</Loaded>
    </section>
  );
}

function SharedConversation({ conversation }: { readonly conversation: SharePreview }) {
  const { t } = useTexts();
  const { name, sender_name, messages, message_count } = conversation;
  const hiddenCount = message_count - messages.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={shareCss.sharePreview} data-testid="share-preview" tabIndex={0}>
      <Text size="xs" c="dimmed">
        {[name, sender_name, t("shareMessages", { count: message_count })].filter(Boolean).join(" · ")}
      </Text>
      {messages.map(({ id, role, sender, content, attachments }) => (
        <div key={id} data-role={role}>
          <b>{sender || (role === "user" ? t("shareUser") : sender_name || t("shareAssistant"))}</b>
          <span>{content}</span>
          {attachments.map((file) => (
            <i key={file.url}>{file.name}</i>
          ))}
        </div>
      ))}
      {hiddenCount > 0 && (
        <Text size="xs" c="dimmed">
          {t("shareMore", { count: hiddenCount })}
        </Text>
      )}
    </div>
  );
}

import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/ui/common.tsx";
import shareCss from "./share.module.css";
import { type ShareChoice, type SharePreview, sharing } from "./share.ts";
import { useTexts } from "./texts.ts";

const SETTLED_MS = 200;

/** What those who have the link will read, as the service would publish it. */
export function PreviewOfShare({ sessionId, choice }: { readonly sessionId: string; readonly choice: ShareChoice }) {
  const { t } = useTexts();
  const [asked] = useDebouncedValue(choice, SETTLED_MS);
  const preview = useQuery({
    queryKey: ["share", sessionId, "preview", asked],
    queryFn: () => sharing.preview(sessionId, asked),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  return (
    <section aria-label={t("sharePreview")}>
      <Text size="sm" fw={500}>
        {t("sharePreview")}
      </Text>
      <Loaded query={preview}>{(shown) => <Shown shown={shown} />}</Loaded>
    </section>
  );
}

function Shown({ shown }: { readonly shown: SharePreview }) {
  const { t } = useTexts();
  const { name, sender_name, messages, message_count } = shown;
  const more = message_count - messages.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={shareCss.sharePreview} data-testid="share-preview" tabIndex={0}>
      <Text size="xs" c="dimmed">
        {[name, sender_name, t("shareMessages", { count: message_count })].filter(Boolean).join(" · ")}
      </Text>
      {messages.map(({ id, role, sender, content, attachments }) => (
        <div key={id} data-role={role}>
          <b>{sender || (role === "user" ? t("shareSomebody") : sender_name || t("shareAssistant"))}</b>
          <span>{content}</span>
          {attachments.map((file) => (
            <i key={file.url}>{file.name}</i>
          ))}
        </div>
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {t("shareMore", { count: more })}
        </Text>
      )}
    </div>
  );
}

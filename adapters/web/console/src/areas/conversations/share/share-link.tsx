import { Button, Group, Text, TextInput } from "@mantine/core";
import { formatTime } from "../../../shared/ui/common.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { useCopy } from "../../../shared/ui/text/use-copy.ts";
import { useTexts } from "../texts.ts";
import type { Publication } from "./api.ts";
import shareCss from "./share.module.css";

interface PublishedLinkProps {
  readonly sessionId: string;
  readonly published: Publication;
  readonly unpublish: () => Promise<void>;
}

/** The public link, as text and QR code, and a button to unpublish. */
export function PublishedLink({ sessionId, published, unpublish }: PublishedLinkProps) {
  const { t, language } = useTexts();
  const { public_id, public_url, expires_at, view_count, password_required } = published;
  const { isCopied, copy } = useCopy(() => public_url);
  // `of` keeps the browser from showing the cached QR code of an earlier link.
  const picture = `/qrcode/session/${encodeURIComponent(sessionId)}?format=svg&size=160&of=${public_id}`;
  const facts = [
    t("shareUntil", { time: formatTime(expires_at, language) }),
    t("shareRead", { count: view_count }),
    ...(password_required ? [t("shareLocked")] : []),
  ];
  return (
    <Group align="flex-start" wrap="nowrap" className={shareCss.shareLink} data-testid="published">
      <img src={picture} alt={t("shareQr")} width={104} height={104} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <TextInput
          label={t("shareLink")}
          value={public_url}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Text size="xs" c="dimmed" my={4}>
          {facts.join(" · ")}
        </Text>
        <Group gap="xs">
          {copy && (
            <Button size="compact-sm" variant="light" onClick={copy}>
              {t(isCopied ? "copied" : "copyLink")}
            </Button>
          )}
          <Button size="compact-sm" variant="default" component="a" href={public_url} target="_blank" rel="noopener">
            {t("openLink")}
          </Button>
          <ConfirmButton label={t("unpublish")} what={public_url} text={t("unpublishHint")} run={unpublish} />
        </Group>
      </div>
    </Group>
  );
}

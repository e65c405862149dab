import { Alert, Text, TextInput } from "@mantine/core";
import type { RegisteredWebhook } from "../../shared/api/channels.ts";
import { formatTime } from "../../shared/ui/common.tsx";
import { useTexts } from "./texts.ts";

interface WebhookAddressProps {
  readonly url: string;
  readonly onChange: (url: string) => void;
}

/** The webhook address, which saving registers at the platform. */
export function WebhookAddress({ url, onChange }: WebhookAddressProps) {
  const { t } = useTexts();
  const isHttps = url.startsWith("https://");
  return (
    <div>
      <TextInput
        label={t("registerWebhook")}
        description={t("registerWebhookHint")}
        value={url}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        type="url"
        data-testid="webhook-url"
      />
      {!isHttps && (
        <Text size="sm" mt={4} data-testid="needs-https">
          {t("needsHttps")}
        </Text>
      )}
    </div>
  );
}

export function WebhookRegistration({ webhook_url, result, warning }: RegisteredWebhook) {
  const { t, language } = useTexts();
  const { pending_update_count, last_error_date, last_error_message } = result;
  const at = last_error_date === undefined ? undefined : new Date(last_error_date * 1_000).toISOString();
  const hasProblem = warning !== undefined || Boolean(last_error_message);
  return (
    <Alert color={hasProblem ? "yellow" : "parley"} mt="xs" py="xs" role="status" data-testid="webhook-result">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {t("registered")} {webhook_url}
      </Text>
      {pending_update_count === undefined ? (
        <Text size="sm">{t("webhookStatusMissing")}</Text>
      ) : (
        <Text size="sm">
          {t("pendingUpdates")} {pending_update_count}
        </Text>
      )}
      {last_error_message && (
        <Text size="sm">
          {t("lastWebhookError")} {[formatTime(at, language), last_error_message].filter(Boolean).join(" – ")}
        </Text>
      )}
    </Alert>
  );
}

import { Alert, Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Channel, channels, type RegisteredWebhook } from "../../shared/api/channels.ts";
import { Failure, timeOf, useTried } from "../../shared/ui/common.tsx";
import { usePublicAddress } from "./public-address.ts";
import { useTexts } from "./texts.ts";

/** Tells the platform where to deliver, and shows what it says about it. */
export function WebhookForm({ channel: { id, config, webhook_path } }: { readonly channel: Channel }) {
  const { t } = useTexts();
  const here = `${usePublicAddress()}${webhook_path ?? ""}`;
  const [typed, setTyped] = useState<string>();
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const { tried, isBusy, error } = useTried([["channel"]]);
  const url = typed ?? (String(config.webhook_url ?? "") || here);
  const isHttps = url.startsWith("https://");
  const register = (event: React.FormEvent) => {
    event.preventDefault();
    setRegistered(undefined);
    void tried(async () => setRegistered(await channels.setWebhook(id, url)))();
  };
  return (
    <form onSubmit={register}>
      <TextInput
        label={t("registerWebhook")}
        description={t("registerWebhookHint")}
        value={url}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        type="url"
        required
        data-testid="webhook-url"
      />
      {!isHttps && (
        <Text size="sm" mt={4} c="red" role="alert" data-testid="needs-https">
          {t("needsHttps")}
        </Text>
      )}
      <Group justify="flex-end" mt="xs">
        <Button type="submit" size="compact-md" loading={isBusy} disabled={!isHttps} data-testid="register-webhook">
          {t("register")}
        </Button>
      </Group>
      <Failure error={error} />
      {registered && <Registered {...registered} />}
    </form>
  );
}

function Registered({ webhook_url, result }: RegisteredWebhook) {
  const { t, language } = useTexts();
  const { pending_update_count, last_error_date, last_error_message } = result;
  const at = last_error_date === undefined ? undefined : new Date(last_error_date * 1_000).toISOString();
  return (
    <Alert color={last_error_message ? "yellow" : "parley"} mt="xs" py="xs" role="status" data-testid="webhook-result">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {t("registered")} {webhook_url}
      </Text>
      <Text size="sm">
        {t("pendingUpdates")} {pending_update_count}
      </Text>
      {last_error_message && (
        <Text size="sm">
          {t("lastWebhookError")} {[timeOf(at, language), last_error_message].filter(Boolean).join(" – ")}
        </Text>
      )}
    </Alert>
  );
}

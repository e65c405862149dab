import { Code, CopyButton, Fieldset, Group, List } from "@mantine/core";
import type { Channel } from "../../shared/api/channels.ts";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { type TextKey, useTexts } from "./texts.ts";

/** Setup steps by type, or by type and transport where these differ, in order. */
const GUIDES: Readonly<Record<string, readonly TextKey[]>> = {
  "imB webhook": ["guideImBBot", "guideImBSecret", "guideImBAddress"],
  "imB polling": ["guideImBBot", "guideImBPolling"],
  "imC webhook": ["guideImCApp", "guideImCKeys", "guideImCAddress"],
  "imC websocket": ["guideImCApp", "guideImCSocket"],
  imA: ["guideImABridge", "guideImAConnect"],
  imAbot: ["guideImABotApp", "guideImABotRun"],
  widget: ["guideWidgetWebsites", "guideWidgetSnippet"],
  custom: ["guideWebhookSecret", "guideWebhookPost", "guideWebhookAnswer"],
};

interface ChannelGuideProps {
  readonly channel: Pick<Channel, "id" | "type" | "transport">;
  /** The webhook address that the platform sends to. */
  readonly address: string;
  /** Public address of the service. */
  readonly publicUrl: string;
}

/** Step-by-step instructions for connecting this platform. */
export function ChannelGuide({ channel: { id, type, transport }, address, publicUrl }: ChannelGuideProps) {
  const { t } = useTexts();
  const steps = GUIDES[`${type} ${transport}`] ?? GUIDES[type];
  if (!steps) return null;
  return (
    <Fieldset legend={t("guide")} data-testid="channel-guide">
      <List type="ordered" size="sm" spacing={4} style={{ overflowWrap: "anywhere" }}>
        {steps.map((step) => (
          <List.Item key={step}>{t(step, { address })}</List.Item>
        ))}
      </List>
      {type === "widget" && <WidgetSnippet channelId={id} publicUrl={publicUrl} />}
    </Fieldset>
  );
}

interface WidgetSnippetProps {
  readonly channelId: string;
  /** Public address of the service. */
  readonly publicUrl: string;
}

/** The line of HTML that puts the chat of a channel on a website, with a button that copies it. */
function WidgetSnippet({ channelId, publicUrl }: WidgetSnippetProps) {
  const { t } = useTexts();
  const snippet = `<script src="${publicUrl}/widget.js" data-channel="${channelId}" async></script>`;
  return (
    <Group gap="xs" mt="xs" wrap="nowrap" data-testid="widget-snippet">
      <Code style={{ overflowWrap: "anywhere" }}>{snippet}</Code>
      <CopyButton value={snippet}>
        {({ copied, copy }) => (
          <IconButton icon={copied ? "check" : "copy"} label={t(copied ? "copied" : "copy")} onClick={copy} />
        )}
      </CopyButton>
    </Group>
  );
}

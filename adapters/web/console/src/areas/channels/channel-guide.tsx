import { Fieldset, List } from "@mantine/core";
import type { Channel } from "../../shared/api/channels.ts";
import { type TextKey, useTexts } from "./texts.ts";

/** Setup steps by type, or by type and transport where these differ, in order. */
const GUIDES: Readonly<Record<string, readonly TextKey[]>> = {
  "imB webhook": ["guideImBBot", "guideImBSecret", "guideImBAddress"],
  "imB polling": ["guideImBBot", "guideImBPolling"],
  "imC webhook": ["guideImCApp", "guideImCKeys", "guideImCAddress"],
  "imC websocket": ["guideImCApp", "guideImCSocket"],
  imA: ["guideImABridge", "guideImAConnect"],
  imAbot: ["guideImABotApp", "guideImABotRun"],
  custom: ["guideWebhookSecret", "guideWebhookPost", "guideWebhookAnswer"],
};

interface ChannelGuideProps {
  readonly channel: Pick<Channel, "type" | "transport">;
  /** The webhook address that the platform sends to. */
  readonly address: string;
}

/** Step-by-step instructions for connecting this platform. */
export function ChannelGuide({ channel: { type, transport }, address }: ChannelGuideProps) {
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
    </Fieldset>
  );
}

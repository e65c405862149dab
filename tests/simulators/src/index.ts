export {
  createDiscordMessage,
  DISCORD_APP,
  type DiscordCall,
  type DiscordFault,
  type DiscordMessage,
  type DiscordServer,
  startDiscordServer,
  toDiscordThrottled,
} from "./chat-sdk/discord-server.ts";
export {
  GCHAT_APP,
  type GchatCall,
  type GchatFault,
  type GchatMessage,
  type GchatServer,
  type GchatTokenOptions,
  startGchatServer,
  toGchatThread,
} from "./chat-sdk/gchat-server.ts";
export {
  createSlackMessage,
  SLACK_APP,
  type SlackCall,
  type SlackFault,
  type SlackMessage,
  type SlackServer,
  type SlackWebhook,
  startSlackServer,
} from "./chat-sdk/slack-server.ts";
export {
  startWhatsAppServer,
  WHATSAPP_APP,
  type WhatsAppCall,
  type WhatsAppFault,
  type WhatsAppMessage,
  type WhatsAppServer,
} from "./chat-sdk/whatsapp-server.ts";
export {
  createFaults,
  type FaultKind,
  type FaultOptions,
  type Faults,
  type InjectedFault,
} from "./faults.ts";
export {
  type ImaBridge,
  type ImaBridgeOptions,
  type ImaCall,
  type ImaFault,
  type ImaSent,
  startImaBridge,
} from "./ima-bridge.ts";
export {
  IMABOT_APP,
  type ImaBotCall,
  type ImaBotFault,
  type ImaBotSent,
  type ImaBotServer,
  startImaBotServer,
} from "./imabot-server.ts";
export { type ParsedHtml, parseHtml } from "./imb-html.ts";
export {
  BOT,
  type ImbCall,
  type ImbFault,
  type ImbMessage,
  type ImbServer,
  type ImbServerOptions,
  startImbServer,
} from "./imb-server.ts";
export type { ImbWebhook } from "./imb-updates.ts";
export {
  encryptEvent,
  /** @deprecated Use `encryptEvent`. */ encryptEvent as sealed,
  IMC_APP,
  type ImcCall,
  type ImcFault,
  type ImcPostElement,
  type ImcSent,
  type ImcServer,
  type ImcWebhook,
  startImcServer,
} from "./imc-server.ts";
export {
  createGate,
  type Gate,
  type ModelRequest,
  type ModelScript,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "./model-server.ts";
export { parseForm, /** @deprecated Use `parseForm`. */ parseForm as formOf, type SentFile } from "./multipart-form.ts";
export {
  type Announcement,
  type HttpAnswer,
  type HttpCall,
  type Outcomes,
  type Platform,
  type PlatformServer,
  type PlatformServerOptions,
  /** @deprecated Use `PlatformServerOptions`. */ type PlatformServerOptions as PlatformServerParts,
  type Simulator,
  type SimulatorOptions,
  startPlatformServer,
} from "./platform-server.ts";
export { type ReceivedPost, type Receiver, startReceiver } from "./receiver.ts";
export {
  type RecordedAnswer,
  type RecordedEvent,
  type ReplayedRequest,
  type ReplayServer,
  startReplayServer,
} from "./replay-server.ts";
export type {
  SimulatorSockets,
  /** @deprecated Use `SimulatorSockets`. */ SimulatorSockets as Wires,
} from "./simulator-sockets.ts";
export {
  createWebhookAnnouncement,
  /** @deprecated Use `createWebhookAnnouncement`. */ createWebhookAnnouncement as byWebhook,
  postUntilAccepted,
  /** @deprecated Use `postUntilAccepted`. */ postUntilAccepted as postUntilTaken,
  type WebhookPost,
} from "./webhook.ts";

export {
  createFaults,
  type FaultKind,
  type FaultOptions,
  type Faults,
  type InjectedFault,
} from "./faults.ts";
export { formOf, type SentFile } from "./form.ts";
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
  type ImbWebhook,
  startImbServer,
} from "./imb-server.ts";
export {
  IMC_APP,
  type ImcCall,
  type ImcFault,
  type ImcPostElement,
  type ImcSent,
  type ImcServer,
  type ImcWebhook,
  sealed,
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
export {
  type Announcement,
  type HttpAnswer,
  type HttpCall,
  type Outcomes,
  type Platform,
  type PlatformServer,
  type PlatformServerParts,
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
export { byWebhook, postUntilTaken, type WebhookPost } from "./webhook.ts";
export type { Wires } from "./wires.ts";

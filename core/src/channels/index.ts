// Helpers of adapters: connections, texts and files of messages.
export { canonicalSessionId, normalizeChannelId, RESERVED_CHANNEL_IDS, sessionIdOf, sessionKey } from "./channel-id.ts";
export { checkInbound } from "./check-inbound.ts";
export { connectionFailure } from "./connection-failure.ts";
export {
  type ConnectionRoutesOptions,
  type ConnectionStatus,
  createConnectionRoutes,
  STOPPED_CONNECTION,
} from "./connection-routes.ts";
export {
  describeMention,
  formatContent,
  formatLink,
  formatQuote,
  isVisible,
  type MessageForm,
} from "./format-content.ts";
export { mayJoinIn } from "./group-trigger.ts";
export { type KeepConnectedOptions, keepConnected } from "./keep-connected.ts";
export { type MultipartFile, multipartBody } from "./multipart.ts";
export { openForSending } from "./open-for-sending.ts";
export { closingFence, splitText, truncate, truncateWithEllipsis } from "./split-text.ts";

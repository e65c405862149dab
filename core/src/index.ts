// Schemas of two versions of joi cannot be combined, so plugins write theirs with the version that reads them.
export { default as Joi } from "@hapi/joi";
export { type Catalogue, defineTexts, type Texts } from "./define-texts.ts";
export { deliveryDetail, deliveryFailure, deliverySentence, type PlatformText } from "./delivery-texts.ts";
export * from "./deprecated.ts";
export { elementShape, parseElements } from "./elements/element-schemas.ts";
export * from "./elements/elements.ts";
export {
  createErrorFromText,
  type ErrorText,
  fillDetail,
  formatFailure,
  formatWarnings,
  type ItemFailure,
  type ListedWarnings,
  localizeMessage,
  type MoreOfError,
  notFound,
  type TraceMessage,
  toItemFailure,
  toLocalized,
  toLocalizedError,
  toSharedError,
  toSharedProblem,
  toTraceMessage,
} from "./error-texts.ts";
export * from "./errors.ts";
export * from "./extension-point.ts";
export { type ErrorAnswer, type ErrorForm, ErrorForms, type RejectedRequest } from "./http/error-form.ts";
export { MAX_WEBHOOK_BYTES, receiveWebhook } from "./http/receive-webhook.ts";
export {
  type Busy,
  isRawReply,
  isReply,
  type Part,
  type PayloadKind,
  type RawData,
  type RawReply,
  type Reply as HttpReply,
  type Route,
  type RouteRequest,
  type RouteTable,
  RouteTables,
  rawReply,
  reply,
  route,
  routeName,
  type UploadPart,
} from "./http/route.ts";
export { derivedId, newId, newTraceId } from "./ids.ts";
export { createReadError, decodeEdited, parseEdited, toFileFinding, toFileProblem } from "./json/edited-json.ts";
export { jsonSchemaOf } from "./json/json-schema.ts";
export { createJsonSyntaxError } from "./json/json-syntax-error.ts";
export { createNulError, hasNul, removeNul } from "./json/null-characters.ts";
export { lastGoodPath } from "./last-good.ts";
export { ERROR_TEXTS } from "./locales/en.ts";
export type { Localized } from "./localized.ts";
export * from "./message.ts";
export * from "./people/person-data.ts";
export { collectPersonRows, erasePersonRows, type PersonRowsOptions } from "./people/person-rows.ts";
export * from "./plugin.ts";
export * from "./points/console/console-area.ts";
export { type EditedFile, EditedFiles } from "./points/console/edited-file.ts";
export { PictureFields } from "./points/console/picture-fields.ts";
export { addResource, Resources } from "./points/console/resource.ts";
export * from "./points/console/setting-definition.ts";
export { BlobRows, type NamedBlob } from "./points/data/blob-rows.ts";
export * from "./points/data/record-lifecycle.ts";
export * from "./points/data/stored-tables.ts";
export * from "./points/data/transfer-section.ts";
export { type Check, type CheckAtRest, Checks, type Finding } from "./points/operations/check.ts";
export * from "./points/operations/job-kind.ts";
export {
  type Measurement,
  type Metric,
  type MetricAlert,
  type Sample,
  samplesBy,
  toMeasurement,
} from "./points/operations/metric.ts";
export { type Probe, Probes } from "./points/operations/probe.ts";
export { type SocketEndpoint, SocketEndpoints } from "./points/operations/socket-endpoint.ts";
export * from "./points/operations/task-kind.ts";
export * from "./points/operations/upkeep.ts";
export { type McpPrompt, type McpPromptMessage, McpPrompts } from "./points/tools/mcp-prompt.ts";
export { type McpResource, McpResources } from "./points/tools/mcp-resource.ts";
export * from "./points/tools/tool.ts";
export { isToolParts, type ToolPart, type ToolParts, toolParts } from "./points/tools/tool-parts.ts";
export * from "./points/tools/tool-result.ts";
export * from "./points/turn/channel-adapter.ts";
export * from "./points/turn/channel-features.ts";
export * from "./points/turn/channel-link.ts";
export {
  COMMON_SETTINGS,
  type CommonSetting,
  listCommonSettings,
  MIN_DEDUPE_S,
} from "./points/turn/channel-settings.ts";
export * from "./points/turn/chat-command.ts";
export { DATA_BLOCK_RULE, toDataBlock } from "./points/turn/data-block.ts";
export * from "./points/turn/element-handler.ts";
export type { GuideStep } from "./points/turn/guide-step.ts";
export * from "./points/turn/model-protocol.ts";
export { PROMPT_PLACES, type PromptPart, type PromptPlace } from "./points/turn/prompt-part.ts";
export { type PromptSource, PromptSources, type PromptText } from "./points/turn/prompt-source.ts";
export * from "./points/turn/turn-stage.ts";
export { type Common, checkRevision, contentRevision, entityTag } from "./records.ts";
export type { ResourceCall, ResourceDeclaration, ResourceVerb } from "./resource/declaration.ts";
export * from "./resource/field-schemas.ts";
export { createRecordCache, type RecordCache, type RecordCacheDeps } from "./resource/record-cache.ts";
export { isTextField, orderOf, textKey, toRecordPage } from "./resource/record-page.ts";
export * from "./resource/resource.ts";
export { type ChangeRequest, createResourceRoutes, type ResourceRecords } from "./resource/resource-routes.ts";
export * from "./resource/resource-view.ts";
export * from "./services/characters/characters.ts";
export { type CurrentPersonality, Personality } from "./services/characters/personality.ts";
export { type Persona, type PersonaChoice, Personas } from "./services/characters/personas.ts";
export * from "./services/characters/state-timeline.ts";
export {
  aloneWith,
  type Collection,
  type DocumentKind,
  type KindDocument,
} from "./services/collections.ts";
export { actorIdOf, type SenderLabels, toActorKey, toSender } from "./services/conversations/actors.ts";
export * from "./services/conversations/channel-time-zone.ts";
export * from "./services/conversations/conversation-settings.ts";
export * from "./services/conversations/follow-ups.ts";
export * from "./services/conversations/live-events.ts";
export * from "./services/conversations/lorebooks.ts";
export { MEMORY_KINDS, Memories, type Memory, type MemoryKind } from "./services/conversations/memories.ts";
export * from "./services/conversations/message-filter.ts";
export { People, senderAddress, userOf, webUser } from "./services/conversations/people.ts";
export { Presence } from "./services/conversations/presence.ts";
export * from "./services/conversations/replay.ts";
export * from "./services/conversations/scenes.ts";
export * from "./services/conversations/session-shapes.ts";
export * from "./services/conversations/sessions.ts";
export { assertMaySpeak, BY_SERVICE, type SpeakOrder, toSpeakOrder } from "./services/conversations/speaking.ts";
export { Summaries } from "./services/conversations/summaries.ts";
export type { Accepted, ConversationMove } from "./services/gateway/accepted.ts";
export { channelStatusShape } from "./services/gateway/channel-shapes.ts";
export { type ChannelState, type ChannelStatus, Channels } from "./services/gateway/channels.ts";
export { Egress, type EgressPolicy } from "./services/gateway/egress.ts";
export * from "./services/gateway/gateway.ts";
export { GatewayLog, type GatewayLogEntry } from "./services/gateway/gateway-log.ts";
export { type Counted, type SharedWindow, SharedWindows } from "./services/gateway/shared-windows.ts";
export { mayPass, modelError, toModelReason } from "./services/model-failures.ts";
export * from "./services/models/ask-gate.ts";
export * from "./services/models/budgets.ts";
export * from "./services/models/model-calls.ts";
export * from "./services/models/models.ts";
export * from "./services/operations/accounts.ts";
export { GRANT_SCOPES, type Grant, type GrantScope, Grants, ProtectedResource } from "./services/operations/grants.ts";
export * from "./services/operations/host.ts";
export * from "./services/operations/jobs.ts";
export * from "./services/operations/logger.ts";
export { type NodeStatus, Nodes } from "./services/operations/nodes.ts";
export { type Schedule, type ScheduleDraft, Schedules, type Timing } from "./services/operations/schedules.ts";
export { Settings } from "./services/operations/settings.ts";
export { type Signal, Signals } from "./services/operations/signals.ts";
export { Telemetry, type TimedSpan } from "./services/operations/telemetry.ts";
export { type BlobDraft, type BlobFacts, BlobStore } from "./services/storage/blob-store.ts";
export { type Cache, type CacheOptions, Caches } from "./services/storage/caches.ts";
export * from "./services/storage/database.ts";
export { DocumentTexts } from "./services/storage/document-texts.ts";
export * from "./services/storage/files.ts";
export { type BrokenFile, type JsonFile, type JsonFileOptions, JsonFiles } from "./services/storage/json-files.ts";
export * from "./services/storage/record-store.ts";
export { SecretBox } from "./services/storage/secret-box.ts";
export { createSecrets, type OwnerSecrets, Secrets, type SecretsOf } from "./services/storage/secrets.ts";
export { StoredRows } from "./services/storage/stored-rows.ts";
export * from "./services/storage/text-index.ts";
export * from "./services/storage/workspaces.ts";
export {
  type RegexFinding,
  type RegexReplacement,
  type RegexRunner,
  RegexRunners,
  type ReplacedText,
} from "./services/tools/regex-runners.ts";
export { ConfirmableTools } from "./services/tools/requested-tools.ts";
export { Sandbox, type SandboxResult, type SandboxRun } from "./services/tools/sandbox.ts";
export { type ConfirmationAnswer, ToolConfirmations } from "./services/tools/tool-confirmations.ts";
export * from "./services/tools/tool-guard.ts";
export * from "./services/tools/tool-implementations.ts";
export * from "./shared-settings.ts";
export { charsetOf, type DecodeOptions, decodeText, isTextual, stripByteOrderMark } from "./text/decode-text.ts";
export { fillParams, listParams, type ParamsIn, type TextArguments } from "./text-params.ts";
export {
  type AddedLanguage,
  findLogDetail,
  joinLocalized,
  listAddedLanguages,
  listEnglishTexts,
  searchLogTexts,
  setAddedLanguages,
  type TextParam,
} from "./text-registry.ts";
export { translateAnswer } from "./translate-answer.ts";
export { isConcerned } from "./turn/concern.ts";
export { orderStages } from "./turn/order-stages.ts";
export { type RunTurnOptions, runTurn } from "./turn/run-turn.ts";
export { collectWrites, notifyApplied, type TurnData, turnData, withEffects } from "./turn/turn-data.ts";
export { TURN_PHASES, type TurnPhase } from "./turn-phases.ts";
export { UNANSWERED_REASONS, type UnansweredReason } from "./unanswered-reasons.ts";
export { isNewerVersion } from "./util/compare-versions.ts";
export { type Deadline, deadline } from "./util/deadline.ts";
export { createHistogram, type Histogram, SECONDS } from "./util/histogram.ts";
export * from "./util/language.ts";
export { dayOf, type LocalPeriod, periodAt, startOfDay } from "./util/local-day.ts";
export { findNearestWord } from "./util/nearest-word.ts";
export { createPartQueue, type PartQueue } from "./util/part-queue.ts";
export { findQuietEnd, isQuiet } from "./util/quiet-hours.ts";
export { relativeParts, safeJoin } from "./util/safe-join.ts";
export { estimateTokens } from "./util/token-estimate.ts";
export { commaList, splitCommaList } from "./validation/comma-list.ts";
export { displayName } from "./validation/display-name.ts";
export { schemaProblem } from "./validation/joi-schemas.ts";
export * from "./validation/validation-error.ts";

// Schemas of two versions of joi cannot be put together: plugins write theirs with the one that reads them.
export { default as Joi } from "@hapi/joi";
export {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  findPrefix,
  isArchive,
  openArchive,
} from "./archive/open-archive.ts";
export { type ArchiveFile, writeArchive } from "./archive/write-archive.ts";
export {
  canonicalSessionId,
  normalizeChannelId,
  RESERVED_CHANNEL_IDS,
  sessionIdOf,
  sessionKey,
} from "./channels/channel-id.ts";
export { checkInbound } from "./channels/check-inbound.ts";
export { connectionFailure } from "./channels/connection-failure.ts";
export {
  describeMention,
  formatContent,
  formatLink,
  formatQuote,
  isVisible,
  type MessageForm,
} from "./channels/format-content.ts";
export { type KeepConnectedOptions, keepConnected } from "./channels/keep-connected.ts";
export { type MultipartFile, multipartBody } from "./channels/multipart.ts";
export { openForSending } from "./channels/open-for-sending.ts";
export { closingFence, splitText, truncate } from "./channels/split-text.ts";
export { cardPictures } from "./characters/card-pictures.ts";
export { changedCharacter, completeCharacter, withExtra } from "./characters/character-draft.ts";
export {
  CHARACTER_DETAIL,
  type CharacterDraft,
  type CharacterFields,
  characterFields,
  findCardSizeProblem,
} from "./characters/character-fields.ts";
export {
  type CharacterPrompt,
  characterPrompt,
  compilePrompt,
  insertCardFields,
  joinPrompts,
  toAuthorRules,
  toPostHistoryPrompt,
} from "./characters/compile-prompt.ts";
export {
  BOND_FIELDS,
  type CharacterBond,
  type CharacterMood,
  clampTo,
  type InitialState,
  type ReadState,
  readState,
  type SceneValue,
  START_BOND,
  START_MOOD,
  sceneProblem,
} from "./characters/initial-state.ts";
export { expandMacros, GENERAL_RULES, type MacroValues, toMacroValues } from "./characters/macros.ts";
export { CALM, STICKER_CATEGORIES, type StickerCategory, stickerCategoryOf } from "./characters/moods.ts";
export { bondValues, moodValues, withMoodValues } from "./characters/state-values.ts";
export { type Catalogue, defineTexts, type Texts } from "./define-texts.ts";
export { deliveryDetail, deliveryFailure, deliverySentence, type PlatformText } from "./delivery-texts.ts";
export * from "./deprecated.ts";
export { ERROR_TEXTS, type ErrorText } from "./english.ts";
export {
  explained,
  explainedAs,
  type ItemFailure,
  inBothLanguages,
  itemFailure,
  type ListedWarnings,
  listedWarnings,
  type MoreOfError,
  notFound,
  problemOf,
  type TextParam,
  toLocalized,
  toLocalizedError,
} from "./error-texts.ts";
export {
  AppError,
  type AppErrorOptions,
  DeliveryError,
  type DeliveryFailure,
  type ErrorCode,
  type ErrorDetail,
  type FieldProblem,
  HTTP_STATUS,
  isStorageBusy,
  isWithoutModel,
  type LocalizedError,
} from "./errors.ts";
export {
  type ExtensionPoint,
  extensionPoint,
  type Reference,
  type ReturnedParts,
  type ServiceKey,
  serviceKey,
  type UniqueNames,
} from "./extension-point.ts";
export { filledIn, type Given, listParams, type ParamsIn } from "./filled-in.ts";
export {
  type ClientFacts,
  type ClientFactsOptions,
  createClientFacts,
  networksOf,
  type RequestHead,
} from "./http/client-facts.ts";
export { attachmentNamed, contentDisposition } from "./http/content-disposition.ts";
export { clampPage, deletedReply, type List, listQuery, type Page, toPage } from "./http/list.ts";
export { type ReadJsonOptions, readJson } from "./http/read-json.ts";
export { MAX_WEBHOOK_BYTES, receiveWebhook } from "./http/receive-webhook.ts";
export { rejectUpgrade, type UpgradeReply } from "./http/reject-upgrade.ts";
export {
  answerFields,
  batchData,
  bytes,
  commonFields,
  deletedData,
  envelopeOf,
  extend,
  failureDetailShape,
  itemFailureFields,
  listData,
  type NamingOptions,
  shape,
  toggledData,
  warningFields,
  without,
} from "./http/response-schemas.ts";
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
export { type FileQuery, type ServedFile, serveFile } from "./http/serve-file.ts";
export { toggleBody } from "./http/toggle.ts";
export { webSection } from "./http/web-section.ts";
export { derivedId, newId, newTraceId } from "./ids.ts";
export { createReadError, decodeEdited, parseEdited, toFileFinding, toFileProblem } from "./json/edited-json.ts";
export { jsonSchemaOf } from "./json/json-schema.ts";
export { createJsonSyntaxError } from "./json/json-syntax-error.ts";
export { createNulError, hasNul, removeNul } from "./json/null-characters.ts";
export { lastGoodPath } from "./last-good.ts";
export { type AttemptLimiter, type CountedAttempt, createAttemptLimiter } from "./limits/attempt-limiter.ts";
export { networkOf } from "./limits/client-network.ts";
export { createMemoryWindow } from "./limits/memory-window.ts";
export { openSharedWindow } from "./limits/open-window.ts";
export { createRateLimiter, type RateLimiter, type RateLimiterOptions, sendThrottled } from "./limits/rate-limiter.ts";
export { createSlidingWindow, type SlidingWindow } from "./limits/sliding-window.ts";
export type { Localized } from "./localized.ts";
export type {
  Attachment,
  InboundKind,
  InboundMessage,
  OutboundMessage,
  Receipt,
  Sender,
  UnaddressedReason,
} from "./message.ts";
export {
  createPersonData,
  type PersonAddress,
  type PersonData,
  type PersonIds,
  readPersonAddress,
} from "./people/person-data.ts";
export { collectPersonRows, erasePersonRows, type PersonRowsOptions } from "./people/person-rows.ts";
export {
  CONTRACT_VERSION,
  type DefinedPlugin,
  definePlugin,
  type Plugin,
  type RegisterContext,
  type Resolver,
  type StartContext,
} from "./plugin.ts";
export {
  AREA_GROUPS,
  AREA_ICONS,
  type AreaGroup,
  type AreaHost,
  type AreaIcon,
  type AreaModule,
  type AreaView,
  area,
  type ConsoleArea,
  ConsoleAreas,
  ConsolePages,
} from "./points/console/console-area.ts";
export { type EditedFile, EditedFiles } from "./points/console/edited-file.ts";
export { PictureFields } from "./points/console/picture-fields.ts";
export { addResource, Resources } from "./points/console/resource.ts";
export {
  SETTING_GROUPS,
  type SettingDefinition,
  SettingDefinitions,
  type SettingGroup,
  setting,
} from "./points/console/setting-definition.ts";
export { BlobRows, type NamedBlob } from "./points/data/blob-rows.ts";
export {
  LIVING_RECORDS,
  type LivingRecord,
  type PersonFile,
  type PersonTable,
  type RecordCopy,
  RecordLifecycle,
  type RecordPart,
} from "./points/data/record-lifecycle.ts";
export { addRecords, RecordKinds, StoredTables, type TableSet } from "./points/data/stored-tables.ts";
export {
  type TransferContext,
  type TransferFailure,
  type TransferItem,
  type TransferPlan,
  type TransferSecrets,
  type TransferSection,
  TransferSections,
  type TransferSteps,
} from "./points/data/transfer-section.ts";
export { type Check, type CheckAtRest, Checks, type Finding } from "./points/operations/check.ts";
export {
  type JobContext,
  type JobKind,
  JobKinds,
  type JobOutcome,
  type JobRetry,
  jobKind,
} from "./points/operations/job-kind.ts";
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
export {
  TASK_KINDS,
  type TaskContext,
  type TaskKind,
  TaskKinds,
  type TaskOrder,
} from "./points/operations/task-kind.ts";
export { type McpPrompt, type McpPromptMessage, McpPrompts } from "./points/tools/mcp-prompt.ts";
export { type McpResource, McpResources } from "./points/tools/mcp-resource.ts";
export {
  TOOL_GROUPS,
  TOOL_SCOPES,
  type Tool,
  type ToolAudience,
  type ToolContext,
  type ToolGroup,
  type ToolScope,
  type ToolSource,
  ToolSources,
  Tools,
  type ToolTable,
  ToolTables,
  tool,
} from "./points/tools/tool.ts";
export { isToolParts, type ToolPart, type ToolParts, toolParts } from "./points/tools/tool-parts.ts";
export {
  fittingPictures,
  openPicture,
  type Picture,
  readToolFailure,
  readToolResult,
  type ToolResult,
  toolOutput,
} from "./points/tools/tool-result.ts";
export {
  type Capabilities,
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelConfig,
  type CheckedAccount,
  type IdempotencyMode,
  isGroupId,
  LEFT_TO_NEXT,
  type Transport,
} from "./points/turn/channel-adapter.ts";
export {
  type ChannelFile,
  type ChannelIo,
  type ChannelLink,
  type LinkState,
  type ReplyDraft,
  toWarnings,
  type WebhookAnswer,
  type WebhookRequest,
} from "./points/turn/channel-link.ts";
export { COMMON_SETTINGS, type CommonSetting, MIN_DEDUPE_S } from "./points/turn/channel-settings.ts";
export {
  type ChatCommand,
  ChatCommands,
  COMMAND_CATEGORIES,
  type CommandCategory,
} from "./points/turn/chat-command.ts";
export {
  type ListedModel,
  MODEL_PURPOSES,
  type ModelConnection,
  type ModelProtocol,
  ModelProtocols,
  type ModelPurpose,
  type OpenedModel,
} from "./points/turn/model-protocol.ts";
export { PROMPT_PLACES, type PromptPart, type PromptPlace } from "./points/turn/prompt-part.ts";
export { type PromptSource, PromptSources, type PromptText } from "./points/turn/prompt-source.ts";
export {
  type Effect,
  type ExternalCall,
  type Reply,
  stage,
  type ThinkingStep,
  type TraceEntry,
  type Turn,
  type TurnContext,
  type TurnEvent,
  type TurnStage,
  TurnStages,
} from "./points/turn/turn-stage.ts";
export { type Common, checkRevision, contentRevision, entityTag } from "./records.ts";
export type { ResourceCall, ResourceDeclaration, ResourceVerb } from "./resource/declaration.ts";
export {
  type FieldLabel,
  type FieldWidget,
  fitsMessage,
  labelled,
  labelOf,
  MESSAGE_CHARACTERS,
  messageText,
  metadata,
  tagsOf,
  textOf,
  timestamp,
} from "./resource/field-schemas.ts";
export { createHeldRecords, type HeldRecords, type HeldRecordsParts } from "./resource/held-records.ts";
export { isTextField, orderOf, pageOfHeld, textKey } from "./resource/page-of-held.ts";
export {
  type Resource,
  type ResourceItem,
  type ResourcePatch,
  type ResourceQuery,
  resource,
} from "./resource/resource.ts";
export { type ChangeRequest, type ResourceRecords, resourceRoutes } from "./resource/resource-routes.ts";
export {
  labelledForm,
  type ResourceCallView,
  type ResourceColumn,
  type ResourceForm,
  type ResourceView,
  toResourceView,
} from "./resource/resource-view.ts";
export { isEqualSecret } from "./secrets/equal-secret.ts";
export {
  LITERAL_SECRETS,
  type LiteralField,
  type LiteralSecrets,
  literalSecrets,
  REQUEST_FIELDS,
  type SecretsByPlace,
} from "./secrets/literal-secrets.ts";
export { maskSecrets } from "./secrets/mask-secrets.ts";
export { hashPassword, isPassword } from "./secrets/passwords.ts";
export {
  type SealedCollection,
  type SealedRecords,
  type SealingParts,
  sealedCollection,
  sealedRecords,
  withSecrets,
} from "./secrets/sealed-records.ts";
export { isMask, maskOf } from "./secrets/secret-forms.ts";
export {
  type Character,
  type CharacterFace,
  CharacterPresets,
  type CharacterSnapshot,
  Characters,
} from "./services/characters/characters.ts";
export { type CurrentPersonality, Personality } from "./services/characters/personality.ts";
export {
  type NewTimelineEntry,
  StateTimeline,
  type TimelineEntry,
  type TimelineUndo,
} from "./services/characters/state-timeline.ts";
export { aloneWith, type Collection, Collections, type NamedDocument } from "./services/collections.ts";
export { actorIdOf, type SenderLabels, toActorKey, toSender } from "./services/conversations/actors.ts";
export {
  type ChangedKind,
  type EventReaders,
  type LiveEvent,
  LiveEvents,
  mayReceive,
  type ResourceAction,
  resourceChanged,
} from "./services/conversations/live-events.ts";
export {
  type CardLorebook,
  type LorebookOrigin,
  Lorebooks,
  type PreparedLorebook,
} from "./services/conversations/lorebooks.ts";
export { MEMORY_KINDS, Memories, type Memory, type MemoryKind } from "./services/conversations/memories.ts";
export {
  type BlockedMessage,
  FILTER_NOTICE,
  type FilterRequest,
  type FilterResult,
  MessageFilter,
  messageFiltered,
} from "./services/conversations/message-filter.ts";
export { People, senderAddress, userOf, webUser } from "./services/conversations/people.ts";
export { Presence } from "./services/conversations/presence.ts";
export {
  type DeliveryResult,
  type ExternalAnswer,
  Replay,
  type Replayed,
  type ReplyResult,
  type TurnRecord,
  type TurnResult,
} from "./services/conversations/replay.ts";
export {
  attachmentShape,
  localizedErrorShape,
  messageShape,
  sessionItemShape,
  sessionShape,
  turnUsageShape,
  usageShape,
} from "./services/conversations/session-shapes.ts";
export {
  type ChannelSessionsQuery,
  type ChatRequest,
  type EntryRecorded,
  type HistoryEntry,
  isGroupSession,
  type Message,
  type MessageCount,
  type MessageKind,
  type MessageRole,
  type MessagesQuery,
  type OwnSession,
  type ReadRows,
  type Session,
  Sessions,
  type SessionType,
  type ToolCallRecord,
  type TurnStarted,
  type Usage,
} from "./services/conversations/sessions.ts";
export { assertMaySpeak, BY_SERVICE, type SpeakOrder, toSpeakOrder } from "./services/conversations/speaking.ts";
export { Summaries } from "./services/conversations/summaries.ts";
export type { Accepted, ConversationMove } from "./services/gateway/accepted.ts";
export { channelStatusShape } from "./services/gateway/channel-shapes.ts";
export { type ChannelState, type ChannelStatus, Channels } from "./services/gateway/channels.ts";
export { Egress, type EgressPolicy } from "./services/gateway/egress.ts";
export {
  type ChannelClaims,
  type DeliveryStatus,
  type DirectMessage,
  Gateway,
  type RunningTurn,
  type SendOutcome,
  type StepsCard,
  type TurnOutcome,
  type TurnState,
  toPlatformConversation,
} from "./services/gateway/gateway.ts";
export { GatewayLog, type GatewayLogEntry } from "./services/gateway/gateway-log.ts";
export { type Counted, type SharedWindow, SharedWindows } from "./services/gateway/shared-windows.ts";
export { mayPass, modelError, toModelReason } from "./services/model-failures.ts";
export {
  type AnswerContent,
  type AnsweringModel,
  addUsage,
  type CallOptions,
  type Embedding,
  type EmbedOptions,
  type GeneratedFile,
  type GeneratedImages,
  type GeneratedSpeech,
  type ModelAnswer,
  type ModelCall,
  ModelCalls,
  type ModelPart,
  type ModelQuestion,
  type PatientOptions,
  type PromptRoom,
  type RequestedTool,
  type Reranked,
  type SoundOptions,
  type Transcript,
  vectorSpaceOf,
} from "./services/models/model-calls.ts";
export {
  type ChosenModel,
  type ModelErrorCategory,
  type ModelFailure,
  type ModelSource,
  Models,
  TokenUsage,
  type UsageEntry,
  type UsageRow,
  type UsageSum,
} from "./services/models/models.ts";
export {
  Accounts,
  ANONYMOUS,
  type Caller,
  hasScope,
  isPerson,
  SCOPES,
  type Scope,
} from "./services/operations/accounts.ts";
export { GRANT_SCOPES, type Grant, type GrantScope, Grants, ProtectedResource } from "./services/operations/grants.ts";
export {
  type Backups,
  Clock,
  ConfigSections,
  type CreatedBackup,
  Environment,
  HostControl,
  LocalConnections,
  Paths,
  type PluginState,
  type PluginStatus,
  ProtocolStreams,
  Redaction,
  type ReloadConfigResult,
  type ReloadResult,
  type RestoreInstructions,
  type StoredBackup,
  systemClock,
} from "./services/operations/host.ts";
export {
  JOB_STATUSES,
  type Job,
  type JobDetail,
  type JobOptions,
  type JobQuery,
  type JobStatus,
  Jobs,
} from "./services/operations/jobs.ts";
export {
  LOG_LEVELS,
  LogFeed,
  type Logger,
  type LogRow,
  type LogThreshold,
  silentLogger,
} from "./services/operations/logger.ts";
export { type NodeStatus, Nodes } from "./services/operations/nodes.ts";
export { type Schedule, type ScheduleDraft, Schedules, type Timing } from "./services/operations/schedules.ts";
export { Settings } from "./services/operations/settings.ts";
export { type Signal, Signals } from "./services/operations/signals.ts";
export { Telemetry, type TimedSpan } from "./services/operations/telemetry.ts";
export { type BlobDraft, type BlobFacts, BlobStore } from "./services/storage/blob-store.ts";
export {
  contains,
  containsLowerCase,
  createUndoneError,
  type Database,
  Databases,
  fixedStatement,
  limitRows,
  type Migration,
  removeRevision,
  toNumberedParameters,
  type Write,
  type WriteResult,
  withUndoneMessage,
} from "./services/storage/database.ts";
export { DocumentTexts } from "./services/storage/document-texts.ts";
export {
  attachmentTypeOf,
  channelFileOf,
  channelFileUrl,
  type FileDraft,
  Files,
  isStoredUrl,
  isTextType,
  type OpenFile,
  type StoredFile,
} from "./services/storage/files.ts";
export { type BrokenFile, type JsonFile, type JsonFileOptions, JsonFiles } from "./services/storage/json-files.ts";
export { type GivenId, type PreparedChange, RecordStore, type StoredRecords } from "./services/storage/record-store.ts";
export { SecretBox } from "./services/storage/secret-box.ts";
export { StoredRows } from "./services/storage/stored-rows.ts";
export {
  type IndexedPassage,
  SEARCH_MODES,
  type SearchMode,
  type StoredTexts,
  type TextEntry,
  type TextHit,
  TextIndex,
  type TextQuery,
  type TextReasons,
  type TextSpace,
  type VectorComparing,
} from "./services/storage/text-index.ts";
export {
  type OpenWorkspaceFile,
  type WorkspaceArea,
  type WorkspaceDoer,
  type WorkspaceItem,
  type WorkspaceMove,
  type WorkspaceQuery,
  Workspaces,
  type WorkspaceWrite,
  workspaceFileOf,
  workspaceFileUrl,
} from "./services/storage/workspaces.ts";
export { type RegexFinding, type RegexRunner, RegexRunners } from "./services/tools/regex-runners.ts";
export { ConfirmableTools } from "./services/tools/requested-tools.ts";
export { Sandbox, type SandboxResult, type SandboxRun } from "./services/tools/sandbox.ts";
export { type ConfirmationAnswer, ToolConfirmations } from "./services/tools/tool-confirmations.ts";
export {
  type KnownTool,
  type ToolCaller,
  type ToolEntrance,
  ToolGuard,
  ToolSwitches,
} from "./services/tools/tool-guard.ts";
export {
  type Implemented,
  type ToolImplementation,
  ToolImplementations,
} from "./services/tools/tool-implementations.ts";
export {
  ANSWERS,
  CORS_ORIGINS,
  GROUP_MEMORY,
  PRIVATE_OUTBOUND,
  PUBLIC_BASE_URL,
  RUN_TIMEOUT_S,
  TIME_ZONE,
  TRUSTED_PROXIES,
} from "./shared-settings.ts";
export {
  applyMigrations,
  createTooOldError,
  type Expansion,
  type MigrationOptions,
  rejectNewerSteps,
  type SharedMigrations,
  type TakenStep,
  withReplacements,
} from "./storage/apply-migrations.ts";
export { type ChangeReader, createChangeReader } from "./storage/change-reader.ts";
export { createIncompleteMigrationError, MOVE_TABLE } from "./storage/incomplete-migration.ts";
export { type RecordParts, recordParts } from "./storage/record-parts.ts";
export { type Column, isPostgres, queryRows, type TableShape, tablesIn } from "./storage/table-shape.ts";
export { type UpgradeCopy, upgradeCopiesIn, upgradeCopyName } from "./storage/upgrade-copies.ts";
export { runOnceVersionsMatch } from "./storage/version-barrier.ts";
export { charsetOf, type DecodeOptions, decodeText, isTextual, stripByteOrderMark } from "./text/decode-text.ts";
export { detectFormat } from "./transfer/detect-format.ts";
export {
  type ImportEachOptions,
  type ImportedItems,
  importEach,
  listRejected,
  type RejectedItem,
} from "./transfer/import-each.ts";
export { diffFields, planItems, variablesIn } from "./transfer/plan-items.ts";
export {
  type LiteralRecords,
  recordsSection,
  resourceSection,
  type TransferredRecords,
} from "./transfer/records-section.ts";
export { orderStages } from "./turn/order-stages.ts";
export { type RunTurnOptions, runTurn } from "./turn/run-turn.ts";
export { collectWrites, notifyApplied, type TurnData, turnData, withEffects } from "./turn/turn-data.ts";
export { TURN_PHASES, type TurnPhase } from "./turn-phases.ts";
export { isNewerVersion } from "./util/compare-versions.ts";
export { type Deadline, deadline } from "./util/deadline.ts";
export { createHistogram, type Histogram, SECONDS } from "./util/histogram.ts";
export { inLanguage, type Language, languageOf, parseAcceptLanguage } from "./util/language.ts";
export { dayOf, startOfDay } from "./util/local-day.ts";
export { nearestWord } from "./util/nearest-word.ts";
export { createPartQueue, type PartQueue } from "./util/part-queue.ts";
export { raceWithGrace } from "./util/race-with-grace.ts";
export { resolveWithin } from "./util/resolve-within.ts";
export { relativeParts, safeJoin } from "./util/safe-join.ts";
export { estimateTokens } from "./util/token-estimate.ts";
export { commaList, commaSeparated } from "./validation/comma-list.ts";
export { displayName } from "./validation/display-name.ts";
export { schemaProblem } from "./validation/joi-schemas.ts";
export {
  notBlank,
  PATTERN_MESSAGES,
  reportProblem,
  toFieldProblems,
  toSchemaError,
  toValidationError,
  withPattern,
} from "./validation/validation-error.ts";

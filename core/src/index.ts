// Schemas of two versions of joi cannot be put together: plugins write theirs with the one that reads them.
export { default as Joi } from "@hapi/joi";
export {
  applyMigrations,
  type Expansion,
  type MigrationOptions,
  refuseNewerSteps,
  type SharedMigrations,
  type TakenStep,
} from "./apply-migrations.ts";
export {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  isArchive,
  openArchive,
} from "./archive/open-archive.ts";
export { type ArchiveFile, writeArchive } from "./archive/write-archive.ts";
export { type ChangeReader, createChangeReader } from "./change-reader.ts";
export { canonicalSessionId, normalizeChannelId, RESERVED_CHANNEL_IDS, sessionIdOf, sessionKey } from "./channel-id.ts";
export { cardPictures } from "./characters/card-pictures.ts";
export { changedCharacter, completeCharacter, withExtra } from "./characters/character-draft.ts";
export {
  CHARACTER_DETAIL,
  type CharacterDraft,
  type CharacterFields,
  characterFields,
  keptProblem,
} from "./characters/character-fields.ts";
export {
  afterHistory,
  authorsRules,
  type CharacterPrompt,
  characterPrompt,
  compilePrompt,
  wholePrompt,
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
export { GENERAL_RULES, type MacroValues, macrosOf, withMacros } from "./characters/macros.ts";
export { CALM, STICKER_CATEGORIES, type StickerCategory, stickerCategoryOf } from "./characters/moods.ts";
export { bondValues, moodValues, withMoodValues } from "./characters/state-values.ts";
export { checkInbound } from "./check-inbound.ts";
export { commaList, commaSeparated } from "./comma-list.ts";
export { connectionFailure } from "./connection-failure.ts";
export { type Deadline, deadline } from "./deadline.ts";
export { deliveryDetail, deliveryFailure, deliverySentence, type PlatformText } from "./delivery-texts.ts";
export { displayName } from "./display-name.ts";
export { brokenFile, editedProblem, parseEdited, unreadFile } from "./edited-json.ts";
export {
  ERROR_TEXTS,
  type ErrorText,
  explained,
  explainedAs,
  type Failures,
  failuresOf,
  type ItemFailure,
  inBothLanguages,
  itemFailure,
  type ListedWarnings,
  listedWarnings,
  notFound,
  problemOf,
  type Sentences,
  saidOf,
  sentencesOf,
  toldFailure,
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
  type ToldFailure,
} from "./errors.ts";
export {
  type ExtensionPoint,
  extensionPoint,
  type Reference,
  type ServiceKey,
  serviceKey,
  type UniqueNames,
} from "./extension-point.ts";
export { filledIn, type Given, type ParamsIn } from "./filled-in.ts";
export { createHistogram, type Histogram, SECONDS } from "./histogram.ts";
export {
  answered,
  batchData,
  bytes,
  commonFields,
  deletedData,
  envelopeOf,
  extended,
  failureDetailShape,
  itemFailureFields,
  listData,
  type NamingOptions,
  shape,
  toggledData,
  warningFields,
  without,
} from "./http/answers.ts";
export { attachmentNamed, contentDisposition } from "./http/attachment.ts";
export {
  type ClientFacts,
  createClientFacts,
  type FrontDoor,
  networksOf,
  type RequestHead,
} from "./http/client-facts.ts";
export { clampPage, deleted, type List, listOf, listQuery, type Page } from "./http/list.ts";
export { type ReadJsonOptions, readJson } from "./http/read-json.ts";
export { MAX_WEBHOOK_BYTES, receiveWebhook } from "./http/receive-webhook.ts";
export { refuseUpgrade, type UpgradeRefusal } from "./http/refuse-upgrade.ts";
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
export { type AskedFile, type ServedFile, serveFile } from "./http/serve-file.ts";
export { toggleBody } from "./http/toggle.ts";
export { webSection } from "./http/web-section.ts";
export { derivedId, newId, newTraceId } from "./ids.ts";
export {
  formInWords,
  isVisible,
  linkInWords,
  type MessageForm,
  mentionInWords,
  quoteInWords,
} from "./inbound-words.ts";
export { jsonRefusal } from "./json-fault.ts";
export { jsonSchemaOf } from "./json-schema.ts";
export { type KeepConnectedOptions, keepConnected } from "./keep-connected.ts";
export { inLanguage, type Language, languageOf } from "./language.ts";
export { dayOf, startOfDay } from "./local-day.ts";
export { maskSecrets } from "./mask-secrets.ts";
export { createMemoryWindow } from "./memory-window.ts";
export type { Attachment, InboundKind, InboundMessage, OutboundMessage, Receipt, Sender } from "./message.ts";
export { type MultipartFile, multipartBody } from "./multipart.ts";
export { nearestWord } from "./near-word.ts";
export { networkOf } from "./network-of.ts";
export { isNewerVersion } from "./newer-version.ts";
export { hasNul, nulRefusal, withoutNul } from "./nul.ts";
export { onceOfOneVersion } from "./of-one-version.ts";
export { openForSending } from "./open-for-sending.ts";
export { orderStages } from "./order-stages.ts";
export { createPartQueue, type PartQueue } from "./part-queue.ts";
export { hashPassword, isPassword } from "./passwords.ts";
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
export { BlobRows, type NamedBlob } from "./points/blob-rows.ts";
export {
  type Capabilities,
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelConfig,
  type ChannelFile,
  type ChannelIo,
  type ChannelLink,
  type CheckedAccount,
  COMMON_SETTINGS,
  type CommonSetting,
  type IdempotencyMode,
  type LinkState,
  type ReplyDraft,
  type Transport,
  type WebhookAnswer,
  type WebhookRequest,
  warningsOf,
} from "./points/channel-adapter.ts";
export { type ChatCommand, ChatCommands, COMMAND_CATEGORIES, type CommandCategory } from "./points/chat-command.ts";
export { type Check, type CheckAtRest, Checks, type Finding } from "./points/check.ts";
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
} from "./points/console-area.ts";
export { type EditedFile, EditedFiles } from "./points/edited-file.ts";
export { type JobContext, type JobKind, JobKinds, type JobOutcome, type JobRetry, jobKind } from "./points/job-kind.ts";
export { type McpPrompt, type McpPromptMessage, McpPrompts } from "./points/mcp-prompt.ts";
export { type McpResource, McpResources } from "./points/mcp-resource.ts";
export {
  type Measurement,
  type Metric,
  type MetricAlert,
  measured,
  type Sample,
  samplesBy,
} from "./points/metric.ts";
export {
  type ListedModel,
  MODEL_PURPOSES,
  type ModelConnection,
  type ModelProtocol,
  ModelProtocols,
  type ModelPurpose,
  type OpenedModel,
} from "./points/model-protocol.ts";
export { PictureFields } from "./points/picture-fields.ts";
export { type Probe, Probes } from "./points/probe.ts";
export {
  PROMPT_PLACES,
  type PromptPlace,
  type PromptSource,
  PromptSources,
  type PromptText,
} from "./points/prompt-source.ts";
export {
  LIVING_RECORDS,
  type LivingRecord,
  type PersonFile,
  type PersonTable,
  type RecordCopy,
  RecordLifecycle,
  type RecordPart,
} from "./points/record-lifecycle.ts";
export { addResource, Resources } from "./points/resource.ts";
export {
  SETTING_GROUPS,
  type SettingDefinition,
  SettingDefinitions,
  type SettingGroup,
  setting,
} from "./points/setting-definition.ts";
export { type SocketDoor, SocketDoors } from "./points/socket-door.ts";
export { addRecords, RecordKinds, StoredTables, type TableSet } from "./points/stored-tables.ts";
export { TASK_KINDS, type TaskContext, type TaskKind, TaskKinds, type TaskOrder } from "./points/task-kind.ts";
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
} from "./points/tool.ts";
export { isToolParts, type ToolPart, type ToolParts, toolParts } from "./points/tool-parts.ts";
export {
  fittingPictures,
  openPicture,
  type Picture,
  readToolResult,
  type ToolResult,
  toolOutput,
} from "./points/tool-result.ts";
export {
  type TransferContext,
  type TransferFailure,
  type TransferItem,
  type TransferPlan,
  type TransferSecrets,
  type TransferSection,
  TransferSections,
  type TransferSteps,
} from "./points/transfer-section.ts";
export {
  type Effect,
  type ExternalCall,
  type PromptPart,
  type Reply,
  stage,
  type ThinkingStep,
  type TraceEntry,
  type Turn,
  type TurnContext,
  type TurnEvent,
  type TurnStage,
  TurnStages,
} from "./points/turn-stage.ts";
export { createRateLimiter, holding, type RateLimiter, type RateLimiterOptions } from "./rate-limiter.ts";
export { type RecordParts, recordParts } from "./record-parts.ts";
export { type Common, checkRevision, contentRevision, entityTag } from "./records.ts";
export { matching, notBlank, notTaken, PATTERN_MESSAGES, problemsIn, refusalOf, schemaRefusal } from "./refusal.ts";
export type { ResourceCall, ResourceDeclaration, ResourceVerb } from "./resource/declaration.ts";
export {
  type FieldLabel,
  type FieldWidget,
  fitsMessage,
  type Localized,
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
export {
  type ChangeRequest,
  type ResourceRecords,
  resourceRoutes,
} from "./resource/resource-routes.ts";
export {
  labelledForm,
  type ResourceCallView,
  type ResourceColumn,
  type ResourceForm,
  type ResourceView,
  viewOfResource,
} from "./resource/resource-view.ts";
export { type RunTurnOptions, runTurn } from "./run-turn.ts";
export { relativeParts, safeJoin } from "./safe-join.ts";
export { isMask, maskOf } from "./secrets/literal-forms.ts";
export {
  LITERAL_SECRETS,
  type LiteralField,
  type LiteralSecrets,
  literalSecrets,
  REQUEST_FIELDS,
  type SecretsByPlace,
} from "./secrets/literal-secrets.ts";
export {
  type SealedCollection,
  type SealedRecords,
  type SealingParts,
  sealedCollection,
  sealedRecords,
  withSecrets,
} from "./secrets/sealed-records.ts";
export { Accounts, ANONYMOUS, type Caller, hasScope, isPerson, SCOPES, type Scope } from "./services/accounts.ts";
export { type BlobDraft, type BlobFacts, BlobStore } from "./services/blob-store.ts";
export { channelStatusShape } from "./services/channel-shapes.ts";
export { type ChannelState, type ChannelStatus, Channels } from "./services/channels.ts";
export {
  type Character,
  type CharacterFace,
  CharacterPresets,
  type CharacterSnapshot,
  Characters,
} from "./services/characters.ts";
export { aloneWith, type Collection, Collections, type NamedDocument } from "./services/collections.ts";
export {
  atMost,
  contains,
  containsSmall,
  type Database,
  Databases,
  fixedStatement,
  type Migration,
  numbered,
  undone,
  undoneAs,
  type Write,
  type WriteResult,
} from "./services/database.ts";
export { DocumentTexts } from "./services/document-texts.ts";
export { Egress, type EgressPolicy } from "./services/egress.ts";
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
} from "./services/files.ts";
export {
  type Accepted,
  type ChannelClaims,
  type ConversationMove,
  type DeliveryStatus,
  type DirectMessage,
  Gateway,
  platformConversationOf,
  type RunningTurn,
  type SendingEnd,
  type StepsCard,
  type TurnOutcome,
  type TurnState,
} from "./services/gateway.ts";
export { GatewayLog, type GatewayLogEntry } from "./services/gateway-log.ts";
export { GRANT_SCOPES, type Grant, type GrantScope, Grants, ProtectedResource } from "./services/grants.ts";
export {
  type Backups,
  Clock,
  ConfigSections,
  Environment,
  HostControl,
  type KeptBackup,
  LocalConnections,
  type MadeBackup,
  Paths,
  type PluginState,
  type PluginStatus,
  ProtocolStreams,
  Redaction,
  type ReloadConfigResult,
  type ReloadResult,
  type RestoreWay,
  systemClock,
} from "./services/host.ts";
export {
  JOB_STATUSES,
  type Job,
  type JobDetail,
  type JobOptions,
  type JobQuery,
  type JobStatus,
  Jobs,
} from "./services/jobs.ts";
export { type BrokenFile, type JsonFile, type JsonFileOptions, JsonFiles } from "./services/json-files.ts";
export {
  type ChangedKind,
  type EventReaders,
  type LiveEvent,
  LiveEvents,
  mayReceive,
  type ResourceAction,
  resourceChanged,
} from "./services/live-events.ts";
export { LOG_LEVELS, LogFeed, type Logger, type LogRow, type LogThreshold, silentLogger } from "./services/logger.ts";
export { type CardLorebook, type LorebookOrigin, Lorebooks, type PreparedLorebook } from "./services/lorebooks.ts";
export { MEMORY_KINDS, Memories, type Memory, type MemoryKind } from "./services/memories.ts";
export {
  type BlockedMessage,
  FILTER_NOTICE,
  type FilterRequest,
  type FilterResult,
  MessageFilter,
  messageFiltered,
} from "./services/message-filter.ts";
export {
  type AnswerContent,
  type AnsweringModel,
  type AskedTool,
  addUsage,
  type CallOptions,
  type Embedding,
  type EmbedOptions,
  type MadeFile,
  type MadeImages,
  type MadeSpeech,
  type ModelAnswer,
  type ModelCall,
  ModelCalls,
  type ModelPart,
  type ModelQuestion,
  type PatientOptions,
  type PromptRoom,
  type Reranked,
  type SoundOptions,
  type Transcript,
  vectorSpaceOf,
} from "./services/model-calls.ts";
export { mayPass, modelError, modelFailureSaid } from "./services/model-failures.ts";
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
} from "./services/models.ts";
export { type NodeStatus, Nodes } from "./services/nodes.ts";
export { People, senderAddress, userOf, webUser } from "./services/people.ts";
export { type CurrentPersonality, Personality } from "./services/personality.ts";
export { Presence } from "./services/presence.ts";
export { type GivenId, type PreparedChange, RecordStore, type StoredRecords } from "./services/record-store.ts";
export { type RegexFinding, type RegexRunner, RegexRunners } from "./services/regex-runners.ts";
export {
  type DeliveryResult,
  type ExternalAnswer,
  Replay,
  type Replayed,
  type ReplyResult,
  type TurnRecord,
  type TurnResult,
} from "./services/replay.ts";
export { Sandbox, type SandboxResult, type SandboxRun } from "./services/sandbox.ts";
export { type Schedule, type ScheduleDraft, Schedules, type Timing } from "./services/schedules.ts";
export { SecretBox } from "./services/secret-box.ts";
export {
  attachmentShape,
  messageShape,
  sessionItemShape,
  sessionShape,
  toldFailureShape,
  turnUsageShape,
  usageShape,
} from "./services/session-shapes.ts";
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
} from "./services/sessions.ts";
export { Settings } from "./services/settings.ts";
export { type Counted, type SharedWindow, SharedWindows } from "./services/shared-windows.ts";
export { type Signal, Signals } from "./services/signals.ts";
export { BY_SERVICE, type SpeakOrder, speakTo, toSpeakOrder } from "./services/speaking.ts";
export {
  type NewTimelineEntry,
  StateTimeline,
  type TimelineEntry,
  type TimelineUndo,
} from "./services/state-timeline.ts";
export { StoredRows } from "./services/stored-rows.ts";
export { Summaries } from "./services/summaries.ts";
export { Telemetry, type TimedSpan } from "./services/telemetry.ts";
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
} from "./services/text-index.ts";
export { type ConfirmationAnswer, ToolConfirmations } from "./services/tool-confirmations.ts";
export { type KnownTool, type ToolCaller, type ToolEntrance, ToolGuard, ToolSwitches } from "./services/tool-guard.ts";
export { type Implemented, type ToolImplementation, ToolImplementations } from "./services/tool-implementations.ts";
export { WantedTools } from "./services/wanted-tools.ts";
export { actorIdOf, actorKeyOf, type SenderLabels, toSender } from "./services/who-acts.ts";
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
} from "./services/workspaces.ts";
export { schemaProblem } from "./shape.ts";
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
export { createSlidingWindow, type SlidingWindow } from "./sliding-window.ts";
export { closingFence, splitText, startOf } from "./split-text.ts";
export { ask, type Column, isPostgres, type TableShape, tablesIn } from "./sql/table-shape.ts";
export { charsetOf, type DecodeOptions, decodeText, isTextual, withoutMark } from "./text/decode-text.ts";
export { estimateTokens } from "./token-estimate.ts";
export { likenessOf } from "./transfer/likeness.ts";
export { differing, planItems, variablesIn } from "./transfer/plan-items.ts";
export {
  type LiteralRecords,
  recordsSection,
  resourceSection,
  type TransferredRecords,
} from "./transfer/records-section.ts";
export { type CountedTry, createTryLimit, type TryLimit } from "./try-limit.ts";
export { TURN_PHASES, type TurnPhase } from "./turn-phases.ts";
export { type TurnData, tellApplied, turnData, withEffects, writesOf } from "./turn-value.ts";
export { MOVE_TABLE, unfinishedMove } from "./unfinished-move.ts";
export { type UpgradeCopy, upgradeCopiesIn, upgradeCopyName } from "./upgrade-copies.ts";
export { windowOf } from "./window-of.ts";

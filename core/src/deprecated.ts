// Names of contract 1 that have better ones: they go with the next contract, and nothing here uses them.

import { defineTexts } from "./define-texts.ts";
import type { ItemFailure, MoreOfError } from "./error-texts.ts";
import type { AppError, ErrorCode } from "./errors.ts";
import type { Localized } from "./localized.ts";
import type { ParamsIn, TextArguments } from "./text-params.ts";
import type { TextParam } from "./text-registry.ts";
import { acceptedLanguage, type Language, senderLanguage } from "./util/language.ts";

// Names that have moved to a subpath.
export {
  /** @deprecated Import it from `@parley/core/archive`. */ ARCHIVE_LIMITS,
  /** @deprecated Import it from `@parley/core/archive`. */ type ArchiveEntry,
  /** @deprecated Import it from `@parley/core/archive`. */ type ArchiveLimits,
  /** @deprecated Import it from `@parley/core/archive`. */ findPrefix,
  /** @deprecated Import it from `@parley/core/archive`. */ isArchive,
  /** @deprecated Import it from `@parley/core/archive`. */ openArchive,
} from "./archive/open-archive.ts";
export {
  /** @deprecated Import it from `@parley/core/archive`. */ type ArchiveFile,
  /** @deprecated Import it from `@parley/core/archive`. */ writeArchive,
} from "./archive/write-archive.ts";
export {
  /** @deprecated Use `raceWithSignal` of `@parley/core/async`. */ raceWithSignal as raceWithGrace,
} from "./async/race-with-signal.ts";
export {
  /** @deprecated Import it from `@parley/core/async`. */ resolveWithin,
} from "./async/time-limits.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ canonicalSessionId,
  /** @deprecated Import it from `@parley/core/channels`. */ normalizeChannelId,
  /** @deprecated Import it from `@parley/core/channels`. */ RESERVED_CHANNEL_IDS,
  /** @deprecated Import it from `@parley/core/channels`. */ sessionIdOf,
  /** @deprecated Import it from `@parley/core/channels`. */ sessionKey,
} from "./channels/channel-id.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ checkInbound,
} from "./channels/check-inbound.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ connectionFailure,
} from "./channels/connection-failure.ts";
export {
  /** @deprecated Use `describeMention`. */ describeMention as mentionInWords,
  /** @deprecated Import it from `@parley/core/channels`. */ describeMention,
  /** @deprecated Use `formatContent`. */ formatContent as formInWords,
  /** @deprecated Import it from `@parley/core/channels`. */ formatContent,
  /** @deprecated Use `formatLink`. */ formatLink as linkInWords,
  /** @deprecated Import it from `@parley/core/channels`. */ formatLink,
  /** @deprecated Use `formatQuote`. */ formatQuote as quoteInWords,
  /** @deprecated Import it from `@parley/core/channels`. */ formatQuote,
  /** @deprecated Import it from `@parley/core/channels`. */ isVisible,
  /** @deprecated Import it from `@parley/core/channels`. */ type MessageForm,
} from "./channels/format-content.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ type KeepConnectedOptions,
  /** @deprecated Import it from `@parley/core/channels`. */ keepConnected,
} from "./channels/keep-connected.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ type MultipartFile,
  /** @deprecated Import it from `@parley/core/channels`. */ multipartBody,
} from "./channels/multipart.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ openForSending,
} from "./channels/open-for-sending.ts";
export {
  /** @deprecated Import it from `@parley/core/channels`. */ closingFence,
  /** @deprecated Import it from `@parley/core/channels`. */ splitText,
  /** @deprecated Use `truncate`. */ truncate as startOf,
  /** @deprecated Import it from `@parley/core/channels`. */ truncate,
} from "./channels/split-text.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ cardPictures,
} from "./characters/card-pictures.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ completeCharacter,
  /** @deprecated Use `diffCharacter`. */ diffCharacter as changedCharacter,
  /** @deprecated Import it from `@parley/core/characters`. */ diffCharacter,
  /** @deprecated Import it from `@parley/core/characters`. */ withExtra,
} from "./characters/character-draft.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ CHARACTER_DETAIL,
  /** @deprecated Import it from `@parley/core/characters`. */ type CharacterDraft,
  /** @deprecated Import it from `@parley/core/characters`. */ type CharacterFields,
  /** @deprecated Import it from `@parley/core/characters`. */ characterFields,
  /** @deprecated Use `findCardSizeProblem`. */ findCardSizeProblem as keptProblem,
  /** @deprecated Import it from `@parley/core/characters`. */ findCardSizeProblem,
} from "./characters/character-fields.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ type CharacterPrompt,
  /** @deprecated Import it from `@parley/core/characters`. */ characterPrompt,
  /** @deprecated Import it from `@parley/core/characters`. */ compilePrompt,
  /** @deprecated Import it from `@parley/core/characters`. */ insertCardFields,
  /** @deprecated Use `joinPrompts`. */ joinPrompts as wholePrompt,
  /** @deprecated Import it from `@parley/core/characters`. */ joinPrompts,
  /** @deprecated Use `toAuthorRules`. */ toAuthorRules as authorsRules,
  /** @deprecated Import it from `@parley/core/characters`. */ toAuthorRules,
  /** @deprecated Use `toPostHistoryPrompt`. */ toPostHistoryPrompt as afterHistory,
  /** @deprecated Import it from `@parley/core/characters`. */ toPostHistoryPrompt,
} from "./characters/compile-prompt.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ BOND_FIELDS,
  /** @deprecated Import it from `@parley/core/characters`. */ type CharacterBond,
  /** @deprecated Import it from `@parley/core/characters`. */ type CharacterMood,
  /** @deprecated Import it from `@parley/core/characters`. */ clampTo,
  /** @deprecated Import it from `@parley/core/characters`. */ type InitialState,
  /** @deprecated Import it from `@parley/core/characters`. */ type ReadState,
  /** @deprecated Import it from `@parley/core/characters`. */ readState,
  /** @deprecated Import it from `@parley/core/characters`. */ type SceneValue,
  /** @deprecated Import it from `@parley/core/characters`. */ START_BOND,
  /** @deprecated Import it from `@parley/core/characters`. */ START_MOOD,
  /** @deprecated Import it from `@parley/core/characters`. */ sceneProblem,
} from "./characters/initial-state.ts";
export {
  /** @deprecated Use `expandMacros`. */ expandMacros as withMacros,
  /** @deprecated Import it from `@parley/core/characters`. */ expandMacros,
  /** @deprecated Import it from `@parley/core/characters`. */ GENERAL_RULES,
  /** @deprecated Import it from `@parley/core/characters`. */ type MacroValues,
  /** @deprecated Use `toMacroValues`. */ toMacroValues as macrosOf,
  /** @deprecated Import it from `@parley/core/characters`. */ toMacroValues,
} from "./characters/macros.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ CALM,
  /** @deprecated Import it from `@parley/core/characters`. */ STICKER_CATEGORIES,
  /** @deprecated Import it from `@parley/core/characters`. */ type StickerCategory,
  /** @deprecated Import it from `@parley/core/characters`. */ stickerCategoryOf,
} from "./characters/moods.ts";
export {
  /** @deprecated Import it from `@parley/core/characters`. */ bondValues,
  /** @deprecated Import it from `@parley/core/characters`. */ moodValues,
  /** @deprecated Import it from `@parley/core/characters`. */ withMoodValues,
} from "./characters/state-values.ts";
export {
  /** @deprecated Use `createErrorFromText`. */ createErrorFromText as explainedAs,
  /** @deprecated Use `formatWarnings`. */ formatWarnings as listedWarnings,
  /** @deprecated Use `localizeMessage`. */ localizeMessage as inBothLanguages,
  /** @deprecated Use `toItemFailure`. */ toItemFailure as itemFailure,
  /** @deprecated Use `toLocalized`. */ toLocalized as saidOf,
  /** @deprecated Use `toLocalizedError`. */ toLocalizedError as toldFailure,
  /** @deprecated Use `toSharedError`. */ toSharedError as explained,
  /** @deprecated Use `toSharedProblem`. */ toSharedProblem as problemOf,
} from "./error-texts.ts";
export type {
  /** @deprecated Use `LocalizedError`. */ LocalizedError as ToldFailure,
} from "./errors.ts";
export type {
  /** @deprecated Use `ClientFactsOptions`. */ ClientFactsOptions as FrontDoor,
  /** @deprecated Use `parseNetworks`. */ parseNetworks as networksOf,
} from "./http/client-facts.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ type ClientFacts,
  /** @deprecated Import it from `@parley/core/http`. */ type ClientFactsOptions,
  /** @deprecated Import it from `@parley/core/http`. */ createClientFacts,
  /** @deprecated Import it from `@parley/core/http`. */ parseNetworks,
  /** @deprecated Import it from `@parley/core/http`. */ type RequestHead,
} from "./http/client-facts.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ attachmentNamed,
  /** @deprecated Import it from `@parley/core/http`. */ contentDisposition,
} from "./http/content-disposition.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ clampPage,
  /** @deprecated Use `deletedReply`. */ deletedReply as deleted,
  /** @deprecated Import it from `@parley/core/http`. */ deletedReply,
  /** @deprecated Import it from `@parley/core/http`. */ type List,
  /** @deprecated Import it from `@parley/core/http`. */ listQuery,
  /** @deprecated Import it from `@parley/core/http`. */ type Page,
  /** @deprecated Use `toPage`. */ toPage as listOf,
  /** @deprecated Import it from `@parley/core/http`. */ toPage,
} from "./http/list.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ type ReadJsonOptions,
  /** @deprecated Import it from `@parley/core/http`. */ readJson,
} from "./http/read-json.ts";
export {
  /** @deprecated Use `rejectUpgrade`. */ rejectUpgrade as refuseUpgrade,
  /** @deprecated Import it from `@parley/core/http`. */ rejectUpgrade,
  /** @deprecated Use `UpgradeReply`. */ type UpgradeReply as UpgradeRefusal,
  /** @deprecated Import it from `@parley/core/http`. */ type UpgradeReply,
} from "./http/reject-upgrade.ts";
export {
  /** @deprecated Use `answerFields`. */ answerFields as answered,
  /** @deprecated Import it from `@parley/core/http`. */ answerFields,
  /** @deprecated Import it from `@parley/core/http`. */ batchData,
  /** @deprecated Import it from `@parley/core/http`. */ bytes,
  /** @deprecated Import it from `@parley/core/http`. */ commonFields,
  /** @deprecated Import it from `@parley/core/http`. */ deletedData,
  /** @deprecated Import it from `@parley/core/http`. */ envelopeOf,
  /** @deprecated Use `extend`. */ extend as extended,
  /** @deprecated Import it from `@parley/core/http`. */ extend,
  /** @deprecated Import it from `@parley/core/http`. */ failureDetailShape,
  /** @deprecated Import it from `@parley/core/http`. */ itemFailureFields,
  /** @deprecated Import it from `@parley/core/http`. */ listData,
  /** @deprecated Import it from `@parley/core/http`. */ type NamingOptions,
  /** @deprecated Import it from `@parley/core/http`. */ shape,
  /** @deprecated Import it from `@parley/core/http`. */ toggledData,
  /** @deprecated Import it from `@parley/core/http`. */ warningFields,
  /** @deprecated Import it from `@parley/core/http`. */ without,
} from "./http/response-schemas.ts";
export type {
  /** @deprecated Use `FileQuery`. */ FileQuery as AskedFile,
} from "./http/serve-file.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ type FileQuery,
  /** @deprecated Import it from `@parley/core/http`. */ type ServedFile,
  /** @deprecated Import it from `@parley/core/http`. */ serveFile,
} from "./http/serve-file.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ toggleBody,
} from "./http/toggle.ts";
export {
  /** @deprecated Import it from `@parley/core/http`. */ webSection,
} from "./http/web-section.ts";
export {
  /** @deprecated Use `createReadError`. */ createReadError as unreadFile,
  /** @deprecated Use `toFileFinding`. */ toFileFinding as brokenFile,
  /** @deprecated Use `toFileProblem`. */ toFileProblem as editedProblem,
} from "./json/edited-json.ts";
export {
  /** @deprecated Use `createJsonSyntaxError`. */ createJsonSyntaxError as jsonRefusal,
} from "./json/json-syntax-error.ts";
export {
  /** @deprecated Use `createNulError`. */ createNulError as nulRefusal,
  /** @deprecated Use `removeNul`. */ removeNul as withoutNul,
} from "./json/null-characters.ts";
export {
  /** @deprecated Use `AttemptLimiter`. */ type AttemptLimiter as TryLimit,
  /** @deprecated Import it from `@parley/core/limits`. */ type AttemptLimiter,
  /** @deprecated Use `CountedAttempt`. */ type CountedAttempt as CountedTry,
  /** @deprecated Import it from `@parley/core/limits`. */ type CountedAttempt,
  /** @deprecated Use `createAttemptLimiter`. */ createAttemptLimiter as createTryLimit,
  /** @deprecated Import it from `@parley/core/limits`. */ createAttemptLimiter,
} from "./limits/attempt-limiter.ts";
export {
  /** @deprecated Import it from `@parley/core/limits`. */ networkOf,
} from "./limits/client-network.ts";
export {
  /** @deprecated Import it from `@parley/core/limits`. */ createMemoryWindow,
} from "./limits/memory-window.ts";
export {
  /** @deprecated Use `openSharedWindow`. */ openSharedWindow as windowOf,
  /** @deprecated Import it from `@parley/core/limits`. */ openSharedWindow,
} from "./limits/open-window.ts";
export {
  /** @deprecated Import it from `@parley/core/limits`. */ createRateLimiter,
  /** @deprecated Import it from `@parley/core/limits`. */ type RateLimiter,
  /** @deprecated Import it from `@parley/core/limits`. */ type RateLimiterOptions,
  /** @deprecated Use `sendThrottled`. */ sendThrottled as holding,
  /** @deprecated Import it from `@parley/core/limits`. */ sendThrottled,
} from "./limits/rate-limiter.ts";
export {
  /** @deprecated Import it from `@parley/core/limits`. */ createSlidingWindow,
  /** @deprecated Import it from `@parley/core/limits`. */ type SlidingWindow,
} from "./limits/sliding-window.ts";
export {
  /** @deprecated Use `toMeasurement`. */ toMeasurement as measured,
} from "./points/operations/metric.ts";
export {
  /** @deprecated Use `SocketEndpoint`. */ type SocketEndpoint as SocketDoor,
  /** @deprecated Use `SocketEndpoints`. */ SocketEndpoints as SocketDoors,
} from "./points/operations/socket-endpoint.ts";
export { /** @deprecated Use `toWarnings`. */ toWarnings as warningsOf } from "./points/turn/channel-link.ts";
export {
  /** @deprecated Use `withLabel`. */ withLabel as labelled,
} from "./resource/field-schemas.ts";
export {
  /** @deprecated Declare the resource as `cached` and use `RecordStore.cached`. */ createRecordCache as createHeldRecords,
  /** @deprecated Use `CachedRecords`. */ type RecordCache as HeldRecords,
  /** @deprecated Use `CachedRecords`. */ type RecordCacheDeps as HeldRecordsParts,
} from "./resource/record-cache.ts";
export {
  /** @deprecated Use `toRecordPage`. */ toRecordPage as pageOfHeld,
} from "./resource/record-page.ts";
export {
  /** @deprecated Use `createResourceRoutes`. */ createResourceRoutes as resourceRoutes,
} from "./resource/resource-routes.ts";
export {
  /** @deprecated Use `toResourceForm`. */ toResourceForm as labelledForm,
  /** @deprecated Use `toResourceView`. */ toResourceView as viewOfResource,
} from "./resource/resource-view.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ isEqualSecret,
} from "./secrets/equal-secret.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ LITERAL_SECRETS,
  /** @deprecated Import it from `@parley/core/secrets`. */ type LiteralField,
  /** @deprecated Import it from `@parley/core/secrets`. */ type LiteralSecrets,
  /** @deprecated Import it from `@parley/core/secrets`. */ literalSecrets,
  /** @deprecated Import it from `@parley/core/secrets`. */ REQUEST_FIELDS,
  /** @deprecated Import it from `@parley/core/secrets`. */ type SecretsByPlace,
} from "./secrets/literal-secrets.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ maskSecrets,
} from "./secrets/mask-secrets.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ hashPassword,
  /** @deprecated Import it from `@parley/core/secrets`. */ isPassword,
} from "./secrets/passwords.ts";
export type {
  /** @deprecated Use `SealingOptions`. */ SealingOptions as SealingParts,
} from "./secrets/sealed-records.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ type SealedCollection,
  /** @deprecated Import it from `@parley/core/secrets`. */ type SealedRecords,
  /** @deprecated Import it from `@parley/core/secrets`. */ type SealingOptions,
  /** @deprecated Import it from `@parley/core/secrets`. */ sealedCollection,
  /** @deprecated Import it from `@parley/core/secrets`. */ sealedRecords,
  /** @deprecated Import it from `@parley/core/secrets`. */ withSecrets,
} from "./secrets/sealed-records.ts";
export {
  /** @deprecated Import it from `@parley/core/secrets`. */ isMask,
  /** @deprecated Import it from `@parley/core/secrets`. */ maskOf,
} from "./secrets/secret-forms.ts";
export {
  /** @deprecated Use `RecordStore.documents`. */ Collections,
  /** @deprecated Use `KindDocument`. */ type NamedDocument,
} from "./services/collections.ts";
export {
  /** @deprecated Use `toActorKey`. */ toActorKey as actorKeyOf,
} from "./services/conversations/actors.ts";
export {
  /** @deprecated Use `localizedErrorShape`. */ localizedErrorShape as toldFailureShape,
} from "./services/conversations/session-shapes.ts";
export {
  /** @deprecated Use `assertMaySpeak`. */ assertMaySpeak as speakTo,
} from "./services/conversations/speaking.ts";
export {
  /** @deprecated Use `SendOutcome`. */ type SendOutcome as SendingEnd,
  /** @deprecated Use `toPlatformConversation`. */ toPlatformConversation as platformConversationOf,
} from "./services/gateway/gateway.ts";
export {
  /** @deprecated Use `toModelReason`. */ toModelReason as modelFailureSaid,
} from "./services/model-failures.ts";
export type {
  /** @deprecated Use `GeneratedFile`. */ GeneratedFile as MadeFile,
  /** @deprecated Use `GeneratedImages`. */ GeneratedImages as MadeImages,
  /** @deprecated Use `GeneratedSpeech`. */ GeneratedSpeech as MadeSpeech,
  /** @deprecated Use `RequestedTool`. */ RequestedTool as AskedTool,
} from "./services/models/model-calls.ts";
export type {
  /** @deprecated Use `CreatedBackup`. */ CreatedBackup as MadeBackup,
  /** @deprecated Use `RestoreInstructions`. */ RestoreInstructions as RestoreWay,
  /** @deprecated Use `StoredBackup`. */ StoredBackup as KeptBackup,
} from "./services/operations/host.ts";
export {
  /** @deprecated Use `containsLowerCase`. */ containsLowerCase as containsSmall,
  /** @deprecated Use `createUndoneError`. */ createUndoneError as undone,
  /** @deprecated Use `limitRows`. */ limitRows as atMost,
  /** @deprecated Use `toNumberedParameters`. */ toNumberedParameters as numbered,
  /** @deprecated Use `withUndoneMessage`. */ withUndoneMessage as undoneAs,
} from "./services/storage/database.ts";
export {
  /** @deprecated Use `ConfirmableTools`. */ ConfirmableTools as WantedTools,
} from "./services/tools/requested-tools.ts";
export {
  /** @deprecated Import it from `@parley/core/storage`. */ applyMigrations,
  /** @deprecated Import it from `@parley/core/storage`. */ createTooOldError,
  /** @deprecated Import it from `@parley/core/storage`. */ type Expansion,
  /** @deprecated Import it from `@parley/core/storage`. */ type MigrationOptions,
  /** @deprecated Use `rejectNewerSteps`. */ rejectNewerSteps as refuseNewerSteps,
  /** @deprecated Import it from `@parley/core/storage`. */ rejectNewerSteps,
  /** @deprecated Import it from `@parley/core/storage`. */ type SharedMigrations,
  /** @deprecated Import it from `@parley/core/storage`. */ type TakenStep,
  /** @deprecated Import it from `@parley/core/storage`. */ withReplacements,
} from "./storage/apply-migrations.ts";
export {
  /** @deprecated Import it from `@parley/core/storage`. */ type ChangeReader,
  /** @deprecated Import it from `@parley/core/storage`. */ createChangeReader,
} from "./storage/change-reader.ts";
export {
  /** @deprecated Use `createIncompleteMigrationError`. */ createIncompleteMigrationError as unfinishedMove,
  /** @deprecated Import it from `@parley/core/storage`. */ createIncompleteMigrationError,
  /** @deprecated Import it from `@parley/core/storage`. */ MOVE_TABLE,
} from "./storage/incomplete-migration.ts";
export {
  /** @deprecated Import it from `@parley/core/storage`. */ type RecordParts,
  /** @deprecated Import it from `@parley/core/storage`. */ recordParts,
} from "./storage/record-parts.ts";
export {
  /** @deprecated Import it from `@parley/core/storage`. */ type Column,
  /** @deprecated Import it from `@parley/core/storage`. */ isPostgres,
  /** @deprecated Use `queryRows`. */ queryRows as ask,
  /** @deprecated Import it from `@parley/core/storage`. */ queryRows,
  /** @deprecated Import it from `@parley/core/storage`. */ type TableShape,
  /** @deprecated Import it from `@parley/core/storage`. */ tablesIn,
} from "./storage/table-shape.ts";
export {
  /** @deprecated Use `findUpgradeCopies`. */ findUpgradeCopies as upgradeCopiesIn,
  /** @deprecated Import it from `@parley/core/storage`. */ findUpgradeCopies,
  /** @deprecated Import it from `@parley/core/storage`. */ type UpgradeCopy,
  /** @deprecated Import it from `@parley/core/storage`. */ upgradeCopyName,
} from "./storage/upgrade-copies.ts";
export {
  /** @deprecated Use `runOnceVersionsMatch`. */ runOnceVersionsMatch as onceOfOneVersion,
  /** @deprecated Import it from `@parley/core/storage`. */ runOnceVersionsMatch,
} from "./storage/version-barrier.ts";
export {
  /** @deprecated Use `stripByteOrderMark`. */ stripByteOrderMark as withoutMark,
} from "./text/decode-text.ts";
export {
  /** @deprecated Use `fillParams`. */ fillParams as filledIn,
  /** @deprecated Use `TextArguments`. */ type TextArguments as Given,
} from "./text-params.ts";
export {
  /** @deprecated Use `detectFormat`. */ detectFormat as likenessOf,
  /** @deprecated Import it from `@parley/core/transfer`. */ detectFormat,
} from "./transfer/detect-format.ts";
export {
  /** @deprecated Import it from `@parley/core/transfer`. */ type ImportEachOptions,
  /** @deprecated Import it from `@parley/core/transfer`. */ type ImportedItems,
  /** @deprecated Import it from `@parley/core/transfer`. */ importEach,
  /** @deprecated Import it from `@parley/core/transfer`. */ listRejected,
  /** @deprecated Import it from `@parley/core/transfer`. */ type RejectedItem,
} from "./transfer/import-each.ts";
export {
  /** @deprecated Use `diffFields`. */ diffFields as differing,
  /** @deprecated Import it from `@parley/core/transfer`. */ diffFields,
  /** @deprecated Use `findVariables`. */ findVariables as variablesIn,
  /** @deprecated Import it from `@parley/core/transfer`. */ findVariables,
  /** @deprecated Import it from `@parley/core/transfer`. */ planItems,
} from "./transfer/plan-items.ts";
export {
  /** @deprecated Import it from `@parley/core/transfer`. */ type LiteralRecords,
  /** @deprecated Import it from `@parley/core/transfer`. */ recordsSection,
  /** @deprecated Import it from `@parley/core/transfer`. */ resourceSection,
  /** @deprecated Import it from `@parley/core/transfer`. */ type TransferredRecords,
} from "./transfer/records-section.ts";
export {
  /** @deprecated Use `collectWrites`. */ collectWrites as writesOf,
  /** @deprecated Use `notifyApplied`. */ notifyApplied as tellApplied,
} from "./turn/turn-data.ts";
export {
  /** @deprecated Use `findNearestWord`. */ findNearestWord as nearestWord,
} from "./util/nearest-word.ts";
export {
  /** @deprecated Use `splitCommaList`. */ splitCommaList as commaSeparated,
} from "./validation/comma-list.ts";
export {
  /** @deprecated Use `reportProblem`. */ reportProblem as notTaken,
  /** @deprecated Use `toFieldProblems`. */ toFieldProblems as problemsIn,
  /** @deprecated Use `toSchemaError`. */ toSchemaError as schemaRefusal,
  /** @deprecated Use `toValidationError`. */ toValidationError as refusalOf,
  /** @deprecated Use `withPattern`. */ withPattern as matching,
} from "./validation/validation-error.ts";

/**
 * Creates a plugin's errors by key: `failuresOf("dice", { too_many: { en, zh } })`. Parameters in braces are required.
 *
 * @deprecated Use `defineTexts`.
 */
export function failuresOf<const Given extends Readonly<Record<string, Localized>>>(
  plugin: string,
  texts: Given,
): Failures<Given> {
  return fromPairs(plugin, texts).error as Failures<Given>;
}

/**
 * Creates an error from a code, a key, the parameters of its text, and options.
 *
 * @deprecated Use `Texts`.
 */
export type Failures<Texts extends Readonly<Record<string, Localized>>> = <Key extends keyof Texts & string>(
  code: ErrorCode,
  key: Key,
  ...given: TextArguments<ParamsIn<Texts[Key][keyof Localized], TextParam>, [options?: MoreOfError]>
) => AppError;

/**
 * Creates a plugin's messages other than errors by key.
 *
 * @deprecated Use `defineTexts`.
 */
export function sentencesOf<const Given extends Readonly<Record<string, Localized>>>(
  plugin: string,
  texts: Given,
): Sentences<Given> {
  return fromPairs(plugin, texts).message as Sentences<Given>;
}

/**
 * Creates a message from a key and the parameters of its text.
 *
 * @deprecated Use `Texts`.
 */
export type Sentences<Texts extends Readonly<Record<string, Localized>>> = <Key extends keyof Texts & string>(
  key: Key,
  ...given: TextArguments<ParamsIn<Texts[Key][keyof Localized], TextParam>, []>
) => ItemFailure;

function fromPairs(plugin: string, texts: Readonly<Record<string, Localized>>) {
  const pick = (language: keyof Localized) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text[language]]));
  return defineTexts(plugin, { en: pick("en"), zh: pick("zh") });
}

/**
 * Returns English or Chinese for a sender.
 *
 * @deprecated Use `senderLanguage`, which returns a language of the operator too.
 */
export function languageOf(message: Parameters<typeof senderLanguage>[0]): Language {
  return senderLanguage(message) === "zh" ? "zh" : "en";
}

/**
 * Returns English or Chinese for a header.
 *
 * @deprecated Use `acceptedLanguage`, which returns a language of the operator too.
 */
export function parseAcceptLanguage(header?: string): Language {
  return acceptedLanguage(header) === "zh" ? "zh" : "en";
}

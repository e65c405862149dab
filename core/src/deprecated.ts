// Names of contract 1 that have better ones: they go with the next contract, and nothing here uses them.
export {
  /** @deprecated Use `describeMention`. */ describeMention as mentionInWords,
  /** @deprecated Use `formatContent`. */ formatContent as formInWords,
  /** @deprecated Use `formatLink`. */ formatLink as linkInWords,
  /** @deprecated Use `formatQuote`. */ formatQuote as quoteInWords,
} from "./channels/format-content.ts";
export {
  /** @deprecated Use `truncate`. */ truncate as startOf,
} from "./channels/split-text.ts";
export {
  /** @deprecated Use `diffCharacter`. */ diffCharacter as changedCharacter,
} from "./characters/character-draft.ts";
export {
  /** @deprecated Use `findCardSizeProblem`. */ findCardSizeProblem as keptProblem,
} from "./characters/character-fields.ts";
export {
  /** @deprecated Use `joinPrompts`. */ joinPrompts as wholePrompt,
  /** @deprecated Use `toAuthorRules`. */ toAuthorRules as authorsRules,
  /** @deprecated Use `toPostHistoryPrompt`. */ toPostHistoryPrompt as afterHistory,
} from "./characters/compile-prompt.ts";
export {
  /** @deprecated Use `expandMacros`. */ expandMacros as withMacros,
  /** @deprecated Use `toMacroValues`. */ toMacroValues as macrosOf,
} from "./characters/macros.ts";
export {
  /** @deprecated Use `Texts`. */ type Failures,
  /** @deprecated Use `defineTexts`. */ failuresOf,
  /** @deprecated Use `Texts`. */ type Sentences,
  /** @deprecated Use `defineTexts`. */ sentencesOf,
} from "./define-texts.ts";
export {
  /** @deprecated Use `formatWarnings`. */ formatWarnings as listedWarnings,
  /** @deprecated Use `toLocalized`. */ toLocalized as saidOf,
  /** @deprecated Use `toLocalizedError`. */ toLocalizedError as toldFailure,
} from "./error-texts.ts";
export type {
  /** @deprecated Use `LocalizedError`. */ LocalizedError as ToldFailure,
} from "./errors.ts";
export type {
  /** @deprecated Use `ClientFactsOptions`. */ ClientFactsOptions as FrontDoor,
  /** @deprecated Use `parseNetworks`. */ parseNetworks as networksOf,
} from "./http/client-facts.ts";
export {
  /** @deprecated Use `deletedReply`. */ deletedReply as deleted,
  /** @deprecated Use `toPage`. */ toPage as listOf,
} from "./http/list.ts";
export {
  /** @deprecated Use `rejectUpgrade`. */ rejectUpgrade as refuseUpgrade,
  /** @deprecated Use `UpgradeReply`. */ type UpgradeReply as UpgradeRefusal,
} from "./http/reject-upgrade.ts";
export {
  /** @deprecated Use `answerFields`. */ answerFields as answered,
  /** @deprecated Use `extend`. */ extend as extended,
} from "./http/response-schemas.ts";
export type {
  /** @deprecated Use `FileQuery`. */ FileQuery as AskedFile,
} from "./http/serve-file.ts";
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
  /** @deprecated Use `CountedAttempt`. */ type CountedAttempt as CountedTry,
  /** @deprecated Use `createAttemptLimiter`. */ createAttemptLimiter as createTryLimit,
} from "./limits/attempt-limiter.ts";
export {
  /** @deprecated Use `openSharedWindow`. */ openSharedWindow as windowOf,
} from "./limits/open-window.ts";
export {
  /** @deprecated Use `sendThrottled`. */ sendThrottled as holding,
} from "./limits/rate-limiter.ts";
export {
  /** @deprecated Use `toMeasurement`. */ toMeasurement as measured,
} from "./points/operations/metric.ts";
export {
  /** @deprecated Use `SocketEndpoint`. */ type SocketEndpoint as SocketDoor,
  /** @deprecated Use `SocketEndpoints`. */ SocketEndpoints as SocketDoors,
} from "./points/operations/socket-endpoint.ts";
export { /** @deprecated Use `toWarnings`. */ toWarnings as warningsOf } from "./points/turn/channel-link.ts";
export {
  /** @deprecated Declare the resource as `cached` and use `RecordStore.cached`. */ createRecordCache as createHeldRecords,
  /** @deprecated Use `CachedRecords`. */ type RecordCache as HeldRecords,
  /** @deprecated Use `CachedRecords`. */ type RecordCacheDeps as HeldRecordsParts,
} from "./resource/record-cache.ts";
export {
  /** @deprecated Use `toRecordPage`. */ toRecordPage as pageOfHeld,
} from "./resource/record-page.ts";
export {
  /** @deprecated Use `toResourceView`. */ toResourceView as viewOfResource,
} from "./resource/resource-view.ts";
export type {
  /** @deprecated Use `SealingOptions`. */ SealingOptions as SealingParts,
} from "./secrets/sealed-records.ts";
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
  /** @deprecated Use `rejectNewerSteps`. */ rejectNewerSteps as refuseNewerSteps,
} from "./storage/apply-migrations.ts";
export {
  /** @deprecated Use `createIncompleteMigrationError`. */ createIncompleteMigrationError as unfinishedMove,
} from "./storage/incomplete-migration.ts";
export {
  /** @deprecated Use `queryRows`. */ queryRows as ask,
} from "./storage/table-shape.ts";
export {
  /** @deprecated Use `findUpgradeCopies`. */ findUpgradeCopies as upgradeCopiesIn,
} from "./storage/upgrade-copies.ts";
export {
  /** @deprecated Use `runOnceVersionsMatch`. */ runOnceVersionsMatch as onceOfOneVersion,
} from "./storage/version-barrier.ts";
export {
  /** @deprecated Use `stripByteOrderMark`. */ stripByteOrderMark as withoutMark,
} from "./text/decode-text.ts";
export {
  /** @deprecated Use `fillParams`. */ fillParams as filledIn,
} from "./text-params.ts";
export {
  /** @deprecated Use `detectFormat`. */ detectFormat as likenessOf,
} from "./transfer/detect-format.ts";
export {
  /** @deprecated Use `diffFields`. */ diffFields as differing,
  /** @deprecated Use `findVariables`. */ findVariables as variablesIn,
} from "./transfer/plan-items.ts";
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

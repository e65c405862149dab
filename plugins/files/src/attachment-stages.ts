import {
  AppError,
  type Attachment,
  attachmentTypeOf,
  type ChannelFile,
  type ChannelLink,
  channelFileOf,
  deadline,
  derivedId,
  type Egress,
  type Files,
  isStoredUrl,
  type StoredFile,
  type Turn,
  type TurnContext,
  type TurnStage,
  toTraceMessage,
  withEffects,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { filesTexts } from "./texts.ts";

const MEBIBYTE = 1024 * 1024;
/** Maximum size of a downloaded file, which is the usual limit of platforms. */
const MAX_BYTES = 20 * MEBIBYTE;
const RESPONSE_TIMEOUT_MS = 10_000;
/** More files than any platform allows in one message or album. */
const MAX_FILES = 10;
const CONCURRENCY = 3;

export interface FetchStageDeps {
  readonly files: Files;
  readonly link: (channelId: string) => Pick<ChannelLink, "fetchFile"> | undefined;
  readonly egress: Pick<Egress, "fetch">;
  /** Returns true when addresses in messages may be private. */
  readonly mayReachPrivate: () => boolean;
  /** Timeout of the download of one file in milliseconds. */
  readonly timeoutMs: number;
}

/** Creates the stage that stores the files of a message, so that their origin need not be reachable later. */
export function createFetchFilesStage(deps: FetchStageDeps): TurnStage {
  return {
    id: "files.fetch",
    phase: "record-user",
    concerns: ({ attachments }) => attachments.length > 0,
    async run(turn, context) {
      // An edit changes only the text, so it has no new attachments.
      if (turn.inbound.kind !== "message") return { ...turn, attachments: turn.attachments.filter(isLocal) };
      // Files of messages that do not address the bot are not downloaded, but described in words.
      const results = turn.inbound.addressed
        ? await mapInGroups(turn.attachments, (one, index) => fetchAttachment(deps, turn, one, index, context))
        : turn.attachments.map((one) => (isLocal(one) ? one : toMissingNote(one)));
      const attachments = results.filter((one) => typeof one !== "string");
      const notes = results.filter((one) => typeof one === "string");
      const text = [turn.text, ...notes].filter((line) => line !== "").join("\n");
      const writes = deps.files.keeps(
        attachments.map(({ url }) => url),
        turn.session.id,
      );
      return withEffects({ ...turn, attachments, text }, { isEarly: true, writes });
    },
  };
}

/** Creates the stage that stores audio files before the other files, so that they can be transcribed. */
export function createFetchAudioStage(deps: FetchStageDeps): TurnStage {
  return {
    id: "files.fetch-sound",
    phase: "prepare",
    concerns: ({ inbound: { kind, addressed }, attachments }) =>
      kind === "message" && addressed && attachments.some(isNewAudio),
    async run(turn, context) {
      const results = await mapInGroups(turn.attachments, async (one, index) =>
        isNewAudio(one) ? fetchAttachment(deps, turn, one, index, context, "sound") : one,
      );
      const attachments = results.filter((one) => typeof one !== "string");
      const notes = results.filter((one) => typeof one === "string");
      return { ...turn, attachments, text: [turn.text, ...notes].filter((line) => line !== "").join("\n") };
    },
  };
}

/** Creates the stage that marks files as used by a conversation, so that they are kept as long as it exists. */
export function createRetainFilesStage(files: Pick<Files, "keeps">): TurnStage {
  return {
    id: "files.keep",
    phase: "record-reply",
    concerns: ({ replies }) => replies.some(({ attachments }) => attachments.length > 0),
    async run(turn) {
      const urls = turn.replies.flatMap(({ attachments }) => attachments.map(({ url }) => url));
      const writes = files.keeps(urls, turn.session.id);
      return writes.length > 0 ? withEffects(turn, { writes }) : turn;
    },
  };
}

function isNewAudio({ type, url }: Attachment): boolean {
  return type === "audio" && !isStoredUrl(url);
}

/** True for a file of this service, and for its own stickers, which are served by it too. */
function isLocal({ url, type }: Attachment): boolean {
  return isStoredUrl(url) || (type === "sticker" && channelFileOf(url) === undefined);
}

async function mapInGroups<Result>(
  attachments: readonly Attachment[],
  take: (attachment: Attachment, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < attachments.length; at += CONCURRENCY) {
    const group = attachments.slice(at, at + CONCURRENCY);
    results.push(...(await Promise.all(group.map((one, index) => take(one, at + index)))));
  }
  return results;
}

/** Returns the stored attachment, or a note when its download fails, so that the turn continues. */
async function fetchAttachment(
  deps: FetchStageDeps,
  turn: Turn,
  attachment: Attachment,
  index: number,
  context: TurnContext,
  place = "",
): Promise<Attachment | string> {
  const name = `${place}${index}`;
  const external = (ask: () => Promise<Attachment | string>) => context.external({ kind: "file", name, ask });
  if (isStoredUrl(attachment.url)) return external(() => toStoredAttachment(deps.files, attachment));
  if (isLocal(attachment)) return attachment;
  if (index >= MAX_FILES) return toMissingNote(attachment, "too many at once");
  // The id derives from the turn, so that a repeated turn finds the file it stored.
  const id = derivedId("file", turn.traceId, name);
  return external(async () => {
    using limit = deadline(deps.timeoutMs, context.signal);
    try {
      const stored = (await deps.files.find(id)) ?? (await storeAttachment(deps, turn, attachment, id, limit.signal));
      return withStoredFile(attachment, stored);
    } catch (error) {
      context.signal.throwIfAborted();
      const why = filesTexts.localized(toReason(error, limit.signal));
      context.trace({ status: "parsed", ...toTraceMessage(filesTexts.message("trace_not_fetched", { why })) });
      return toMissingNote(attachment, why.en);
    }
  });
}

/** Completes an attachment from its stored file; only the name in the message is used. */
async function toStoredAttachment(files: Files, attachment: Attachment): Promise<Attachment | string> {
  const stored = await files.find(attachment.url);
  if (!stored) return toMissingNote(attachment, "it does not exist");
  return { ...withStoredFile(attachment, stored), name: attachment.name ?? stored.name };
}

async function storeAttachment(
  deps: FetchStageDeps,
  { inbound }: Turn,
  attachment: Attachment,
  id: string,
  signal: AbortSignal,
): Promise<StoredFile> {
  const { type, size, name } = attachment;
  if (size !== undefined && size > MAX_BYTES) throw createTooLargeError();
  const link = deps.link(inbound.channelId);
  const isReference = channelFileOf(attachment.url) !== undefined;
  if (isReference && !link?.fetchFile) throw filesTexts.error("unavailable", "channel_off");
  const given: ChannelFile =
    isReference && link?.fetchFile
      ? await raceWithSignal(link.fetchFile(attachment, signal), signal)
      : { url: attachment.url };
  const body = "url" in given ? await download(deps, given.url, signal) : given.body;
  const file = { name: given.name ?? name ?? type, id, maxBytes: MAX_BYTES };
  return raceWithSignal(deps.files.put(body, file, signal), signal);
}

async function download(
  { egress, mayReachPrivate }: FetchStageDeps,
  url: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const reach = mayReachPrivate() ? "private" : "public";
  const ask = egress.fetch({ reach, timeoutMs: RESPONSE_TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: 3 });
  const response = await ask(url, { signal });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw filesTexts.error("upstream_failed", "answered", { status: response.status });
  }
  if (Number(response.headers.get("content-length")) > MAX_BYTES) {
    await response.body.cancel();
    throw createTooLargeError();
  }
  return response.body;
}

function createTooLargeError(): AppError {
  return filesTexts.error("too_large", "fetch_large");
}

function withStoredFile(attachment: Attachment, stored: StoredFile): Attachment {
  const { meta, source } = attachment;
  return {
    type: attachment.type === "sticker" ? "sticker" : toAttachmentType(attachment, stored),
    url: stored.url,
    name: stored.name,
    mime_type: stored.mimeType,
    size: stored.size,
    ...(source !== undefined && { source }),
    ...(meta && { meta }),
  };
}

/** Returns the attachment type by content; audio may come in a video container. */
function toAttachmentType({ type }: Attachment, { mimeType }: StoredFile): Attachment["type"] {
  const found = mimeType === "image/svg+xml" ? "file" : attachmentTypeOf(mimeType);
  return type === "audio" && found === "video" ? type : found;
}

function toMissingNote({ type, name }: Attachment, reason?: string): string {
  const what = name === undefined || name === "" ? type : `${type} ${name}`;
  return reason === undefined ? `[${what}]` : `[${what}: not received, ${reason}]`;
}

type MissingReason = "missing_large" | "missing_address" | "missing_slow" | "missing_failed";

const REASON_BY_CODE: Readonly<Record<string, MissingReason>> = {
  too_large: "missing_large",
  bad_request: "missing_address",
};

/** Returns the key of the text that tells why a file was not fetched. */
function toReason(error: unknown, limit: AbortSignal): MissingReason {
  if (limit.aborted) return "missing_slow";
  const chain = error instanceof Error ? [error, error.cause] : [];
  const known = chain.find((one) => AppError.is(one));
  const isTooMuch = chain.some((one) => /EXCEEDED/.test(String((one as { code?: unknown } | undefined)?.code)));
  return REASON_BY_CODE[isTooMuch ? "too_large" : (known?.code ?? "")] ?? "missing_failed";
}

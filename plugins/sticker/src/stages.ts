import { hash } from "node:crypto";
import {
  type Attachment,
  type Characters,
  type Egress,
  type Jobs,
  type Logger,
  type Reply,
  type Settings,
  type Turn,
  type TurnContext,
  type TurnStage,
  turnData,
  withEffects,
} from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { CALM, STICKER_CATEGORIES, stickerCategoryOf } from "@parley/core/characters";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { createLateStickerEffect, type LateStickerJobData } from "./late-sticker.ts";
import { STICKER_API_URL, STICKER_ENABLED, STICKER_PROBABILITY } from "./settings.ts";
import { fetchPicture, getPictureMimeType, type StickerPicture } from "./sticker-service.ts";

export interface StickerDeps {
  readonly settings: Settings;
  readonly egress: Egress;
  readonly characters: () => Pick<Characters, "moodOf"> | undefined;
  readonly breaker: CircuitBreaker;
  readonly log: Logger;
  /** Returns the job queue; undefined if there is none, so that a reply waits for its picture. */
  readonly jobs: () => Jobs | undefined;
}

export interface Stickers {
  readonly stages: readonly [TurnStage, TurnStage];
  /** Returns the picture of an answer that did not wait for it. */
  getLateSticker(asked: LateStickerJobData, signal: AbortSignal): Promise<Attachment | null>;
}

interface StickerNote {
  readonly tried: boolean;
  readonly category: string | null;
}
const NOTE = turnData<StickerNote>("sticker");

interface StickerRequest {
  readonly mood: string;
  readonly category: string;
}

/** Maximum wait of a complete reply for its picture, in milliseconds. */
const WAIT_MS = 300;
/** Recorded result when the picture did not arrive in time. */
const NOT_IN_TIME = "late";
const MAX_PENDING = 1_000;

/** Creates two stages: one requests the picture, the other attaches it to the last reply if it is ready. */
export function createStickers(deps: StickerDeps): Stickers {
  const { settings, egress, breaker, characters, log, jobs } = deps;
  /** Requests begun before the answer was complete, by trace. */
  const pendingByTrace = new Map<string, Promise<StickerPicture | null>>();
  const addPending = (traceId: string, asking: Promise<StickerPicture | null>) => {
    // Turns that ended in another process leave their entries, so the oldest one is dropped.
    if (pendingByTrace.size >= MAX_PENDING) pendingByTrace.delete(pendingByTrace.keys().next().value as string);
    pendingByTrace.set(traceId, asking);
  };
  const isOn = () => settings.get(STICKER_ENABLED) && settings.get(STICKER_API_URL) !== "";
  const drawRequest = (turn: Turn): StickerRequest | undefined => {
    if (!isOn()) return undefined;
    // Derived from the trace, so that a repeated turn decides equally.
    if (drawNumber(turn.traceId, "whether") >= settings.get(STICKER_PROBABILITY)) return undefined;
    const mood = characters()?.moodOf(turn) ?? CALM;
    return { mood, category: stickerCategoryOf(mood) ?? pickCategory(turn.traceId) };
  };
  const loadPicture = async ({ category }: StickerRequest, signal: AbortSignal): Promise<StickerPicture | null> => {
    if (breaker.isOpen()) return null;
    try {
      const picture = await fetchPicture(egress, settings.get(STICKER_API_URL), category, signal);
      breaker.record(true);
      return picture;
    } catch (error) {
      if (signal.aborted) return null;
      breaker.record(false);
      log.warn("a sticker could not be fetched", { category, error });
      return null;
    }
  };

  const stages: readonly [TurnStage, TurnStage] = [
    {
      id: "sticker.ask",
      phase: "context",
      after: ["characters.plan"],
      usesStorage: true,
      concerns({ inbound: { kind, addressed }, replies }) {
        return isOn() && addressed && replies.length === 0 && (kind === "message" || kind === "regenerate");
      },
      async run(turn, { signal }) {
        const wanted = drawRequest(turn);
        if (wanted) pendingByTrace.set(turn.traceId, loadPicture(wanted, signal));
        return turn;
      },
      async unanswered({ traceId }) {
        pendingByTrace.delete(traceId);
        return [];
      },
    },
    {
      id: "sticker.decorate",
      phase: "decorate",
      concerns: ({ traceId }) => isOn() || pendingByTrace.has(traceId),
      async run(turn, context) {
        const ahead = pendingByTrace.get(turn.traceId);
        const reply = turn.replies.findLast(
          ({ kind, text, cut }) => kind === "normal" && text !== "" && cut === undefined,
        );
        const wanted = reply && drawRequest(turn);
        if (!reply || !wanted) {
          pendingByTrace.delete(turn.traceId);
          return turn;
        }
        const later = jobs();
        const picture = await requestPicture(context, wanted, () => {
          const asking = ahead ?? loadPicture(wanted, context.signal);
          if (!later) return asking;
          addPending(turn.traceId, asking);
          return waitForPicture(asking);
        });
        const noted = NOTE.with(turn, { tried: true, category: wanted.category });
        if (picture === NOT_IN_TIME)
          return later ? withEffects(noted, createLateStickerEffect(later, turn, wanted)) : noted;
        pendingByTrace.delete(turn.traceId);
        return picture ? withSticker(noted, reply, toStickerAttachment(picture, wanted)) : noted;
      },
    },
  ];
  return {
    stages,
    async getLateSticker({ trace_id, mood, category }, signal) {
      const wanted = { mood, category: category as StickerRequest["category"] };
      const ahead = pendingByTrace.get(trace_id);
      pendingByTrace.delete(trace_id);
      const picture = (await ahead) ?? (await loadPicture(wanted, signal));
      return picture && toStickerAttachment(picture, wanted);
    },
  };
}

/** Waits for the picture; resolves to `NOT_IN_TIME` when it takes too long. */
async function waitForPicture(
  asking: Promise<StickerPicture | null>,
): Promise<StickerPicture | null | typeof NOT_IN_TIME> {
  return resolveWithin(asking, WAIT_MS, NOT_IN_TIME);
}

/** Requests the picture; recorded with the turn, so that a replay gets the same one. */
function requestPicture(
  context: TurnContext,
  { category }: StickerRequest,
  ask: () => Promise<StickerPicture | null | typeof NOT_IN_TIME>,
) {
  return context.external<StickerPicture | null | typeof NOT_IN_TIME>({
    kind: "file",
    name: "sticker.picture",
    key: category,
    ask,
    figures: (picture) => ({ found: picture !== null && picture !== NOT_IN_TIME, late: picture === NOT_IN_TIME }),
  });
}

function withSticker(turn: Turn, reply: Reply, sticker: Attachment): Turn {
  const decorated = { ...reply, attachments: [...reply.attachments, sticker] };
  return { ...turn, replies: turn.replies.map((one) => (one === reply ? decorated : one)) };
}

function toStickerAttachment(
  { url, artist_name, source_url }: StickerPicture,
  { mood, category }: StickerRequest,
): Attachment {
  return {
    type: "sticker",
    name: category,
    mime_type: getPictureMimeType(url),
    size: 0,
    url,
    source: "sticker",
    meta: { category, mood, artist_name, source_url },
  };
}

/** Returns a number in [0, 1), the same for the same turn. */
function drawNumber(traceId: string, what: string): number {
  return hash("sha256", `${traceId}\0${what}`, "buffer").readUInt32BE(0) / 2 ** 32;
}

function pickCategory(traceId: string): string {
  const all = Object.keys(STICKER_CATEGORIES);
  return all[Math.floor(drawNumber(traceId, "category") * all.length)] ?? "smile";
}

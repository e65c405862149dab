import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Attachment,
  CALM,
  type Characters,
  type Egress,
  type Jobs,
  type Logger,
  type Reply,
  type Settings,
  STICKER_CATEGORIES,
  stickerCategoryOf,
  type Turn,
  type TurnContext,
  type TurnStage,
  turnData,
  withEffects,
} from "@parley/core";
import type { Breaker } from "./breaker.ts";
import { type LateSticker, lateStickerEffect } from "./late-sticker.ts";
import { STICKER, STICKER_API_URL, STICKER_PROBABILITY } from "./settings.ts";
import { askForPicture, type Picture, pictureType } from "./sticker-service.ts";

export interface StickerParts {
  readonly settings: Settings;
  readonly egress: Egress;
  readonly characters: () => Pick<Characters, "moodOf"> | undefined;
  readonly breaker: Breaker;
  readonly log: Logger;
  /** Where nobody does what is left to do, an answer waits for its picture. */
  readonly jobs: () => Jobs | undefined;
}

export interface Stickers {
  readonly stages: readonly [TurnStage, TurnStage];
  /** The picture of an answer that did not wait for it. */
  late(asked: LateSticker, signal: AbortSignal): Promise<Attachment | null>;
}

interface Note {
  readonly tried: boolean;
  readonly category: string | null;
}
const NOTE = turnData<Note>("sticker");

interface Wanted {
  readonly mood: string;
  readonly category: string;
}

/** How long an answer that is whole waits for its picture. */
const PATIENCE_MS = 300;
/** What is kept of a picture that is not there in time. */
const LATE = "late";
const MAX_KEPT = 1_000;

/** Two stages: the picture is asked for while the model answers, and hung on the last reply when it is there by then. */
export function createStickers(parts: StickerParts): Stickers {
  const { settings, egress, breaker, characters, log, jobs } = parts;
  /** Asked ahead, by trace. */
  const asked = new Map<string, Promise<Picture | null>>();
  const keep = (traceId: string, asking: Promise<Picture | null>) => {
    // Another process may do what is left to do.
    if (asked.size >= MAX_KEPT) asked.delete(asked.keys().next().value as string);
    asked.set(traceId, asking);
  };
  const wantedOf = (turn: Turn): Wanted | undefined => {
    if (!settings.get(STICKER) || settings.get(STICKER_API_URL) === "") return undefined;
    // Drawn from the trace: a turn that runs again comes to the same.
    if (drawn(turn.traceId, "whether") >= settings.get(STICKER_PROBABILITY)) return undefined;
    const mood = characters()?.moodOf(turn) ?? CALM;
    return { mood, category: stickerCategoryOf(mood) ?? anyCategory(turn.traceId) };
  };
  const ask = async ({ category }: Wanted, signal: AbortSignal): Promise<Picture | null> => {
    if (breaker.isOpen()) return null;
    try {
      const picture = await askForPicture(egress, settings.get(STICKER_API_URL), category, signal);
      breaker.note(true);
      return picture;
    } catch (error) {
      if (signal.aborted) return null;
      breaker.note(false);
      log.warn("no sticker", { category, error });
      return null;
    }
  };

  const stages: readonly [TurnStage, TurnStage] = [
    {
      id: "sticker.ask",
      phase: "context",
      after: ["characters.plan"],
      usesStorage: true,
      async run(turn, { signal }) {
        const { kind, addressed } = turn.inbound;
        const isAnswered = addressed && turn.replies.length === 0 && (kind === "message" || kind === "regenerate");
        const wanted = isAnswered ? wantedOf(turn) : undefined;
        if (wanted) asked.set(turn.traceId, ask(wanted, signal));
        return turn;
      },
      async unanswered({ traceId }) {
        asked.delete(traceId);
        return [];
      },
    },
    {
      id: "sticker.decorate",
      phase: "decorate",
      async run(turn, context) {
        const ahead = asked.get(turn.traceId);
        const reply = turn.replies.findLast(
          ({ kind, text, cut }) => kind === "normal" && text !== "" && cut === undefined,
        );
        const wanted = reply && wantedOf(turn);
        if (!reply || !wanted) {
          asked.delete(turn.traceId);
          return turn;
        }
        const later = jobs();
        const picture = await pictureFor(context, wanted, () => {
          const asking = ahead ?? ask(wanted, context.signal);
          if (!later) return asking;
          keep(turn.traceId, asking);
          return inTime(asking);
        });
        const noted = NOTE.with(turn, { tried: true, category: wanted.category });
        if (picture === LATE) return later ? withEffects(noted, lateStickerEffect(later, turn, wanted)) : noted;
        asked.delete(turn.traceId);
        return picture ? withSticker(noted, reply, stickerOf(picture, wanted)) : noted;
      },
    },
  ];
  return {
    stages,
    async late({ trace_id, mood, category }, signal) {
      const wanted = { mood, category: category as Wanted["category"] };
      const ahead = asked.get(trace_id);
      asked.delete(trace_id);
      const picture = (await ahead) ?? (await ask(wanted, signal));
      return picture && stickerOf(picture, wanted);
    },
  };
}

/** The picture, or that it is not there yet. */
async function inTime(asking: Promise<Picture | null>): Promise<Picture | null | typeof LATE> {
  const patience = new AbortController();
  const late = wait(PATIENCE_MS, LATE, { signal: patience.signal }).catch(() => LATE);
  return Promise.race([asking, late as Promise<typeof LATE>]).finally(() => patience.abort());
}

/** Kept with the turn: a replay is given the same picture. */
function pictureFor(context: TurnContext, { category }: Wanted, ask: () => Promise<Picture | null | typeof LATE>) {
  return context.external<Picture | null | typeof LATE>({
    kind: "file",
    name: "sticker.picture",
    key: category,
    ask,
    figures: (picture) => ({ found: picture !== null && picture !== LATE, late: picture === LATE }),
  });
}

function withSticker(turn: Turn, reply: Reply, sticker: Attachment): Turn {
  const decorated = { ...reply, attachments: [...reply.attachments, sticker] };
  return { ...turn, replies: turn.replies.map((one) => (one === reply ? decorated : one)) };
}

function stickerOf({ url, artist_name, source_url }: Picture, { mood, category }: Wanted): Attachment {
  return {
    type: "sticker",
    name: category,
    mime_type: pictureType(url),
    size: 0,
    url,
    source: "sticker",
    meta: { category, mood, artist_name, source_url },
  };
}

/** A number in [0, 1), the same for the same turn. */
function drawn(traceId: string, what: string): number {
  return hash("sha256", `${traceId}\0${what}`, "buffer").readUInt32BE(0) / 2 ** 32;
}

function anyCategory(traceId: string): string {
  const all = Object.keys(STICKER_CATEGORIES);
  return all[Math.floor(drawn(traceId, "category") * all.length)] ?? "smile";
}

import { hash } from "node:crypto";
import {
  type Attachment,
  CALM,
  type Characters,
  type Egress,
  type Logger,
  type Reply,
  type Settings,
  STICKER_CATEGORIES,
  stickerCategoryOf,
  type Turn,
  type TurnContext,
  type TurnStage,
  turnData,
} from "@parley/core";
import type { Breaker } from "./breaker.ts";
import { STICKER, STICKER_API_URL, STICKER_PROBABILITY } from "./settings.ts";
import { askForPicture, type Picture, pictureType } from "./sticker-service.ts";

export interface StickerParts {
  readonly settings: Settings;
  readonly egress: Egress;
  readonly characters: () => Pick<Characters, "moodOf"> | undefined;
  readonly breaker: Breaker;
  readonly log: Logger;
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

/** Two stages: the picture is asked for while the model answers, and hung on the last reply when it is whole. */
export function stickerStages(parts: StickerParts): readonly [TurnStage, TurnStage] {
  const { settings, egress, breaker, characters, log } = parts;
  /** Asked ahead, by trace. */
  const asked = new Map<string, Promise<Picture | null>>();
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

  return [
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
        asked.delete(turn.traceId);
        const reply = turn.replies.findLast(
          ({ kind, text, cut }) => kind === "normal" && text !== "" && cut === undefined,
        );
        const wanted = reply && wantedOf(turn);
        if (!reply || !wanted) return turn;
        const picture = await pictureFor(context, wanted, () => ahead ?? ask(wanted, context.signal));
        const noted = NOTE.with(turn, { tried: true, category: wanted.category });
        return picture ? withSticker(noted, reply, stickerOf(picture, wanted)) : noted;
      },
    },
  ];
}

/** Kept with the turn: a replay is given the same picture. */
function pictureFor(context: TurnContext, { category }: Wanted, ask: () => Promise<Picture | null>) {
  return context.external<Picture | null>({
    kind: "file",
    name: "sticker.picture",
    key: category,
    ask,
    figures: (picture) => ({ found: picture !== null }),
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

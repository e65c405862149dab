import { type Redaction, type Turn, turnData } from "@parley/core";
import type { CharacterBond, CharacterMood } from "@parley/core/characters";
import type { CharacterTurnContext } from "../turns/turn-context.ts";

const MAX_CACHED_SCOPES = 1_000;

/** Turn data of the world-books plugin. */
const WORLD_BOOKS = turnData<{ readonly entry_ids: readonly string[] }>("world-books");
const STICKER = turnData<{ readonly tried: boolean; readonly category: string | null }>("sticker");
const MEMORIES = turnData<{ readonly memory_ids: readonly string[] }>("memory");

export interface LatestTurn {
  readonly trace_id: string;
  readonly session_id: string;
  readonly scope_id: string;
  readonly target_id: string;
  readonly at: string;
  readonly state_before: CharacterMood;
  readonly state_after: CharacterMood;
  readonly relationship_before: CharacterBond;
  readonly relationship_after: CharacterBond;
  readonly signals: CharacterTurnContext["signals"];
  readonly plan: CharacterTurnContext["plan"];
  readonly memory_ids: readonly string[];
  readonly world_book_entry_ids: readonly string[];
  readonly prompt_layers: readonly { readonly key: string; readonly priority: number; readonly chars: number }[];
  readonly auto_state: { readonly ran: boolean; readonly source: string };
  readonly sticker: { readonly tried: boolean; readonly sent: boolean; readonly category: string | null };
}

/** The last answered message of each conversation, and why the character took it so. In memory only. */
export interface LatestTurns {
  record(
    turn: Turn,
    note: CharacterTurnContext,
    moved: { readonly before: CharacterMood; readonly state: CharacterMood; readonly bond: CharacterBond },
    at: string,
  ): void;
  /** Called when the model updated the state after an answer. */
  autoState(characterId: string, scopeId: string, source: string): void;
  /** Called when a sticker was attached to the answer of a turn after it was sent. */
  onStickerSent(traceId: string): void;
  /** Returns the latest turn of a scope, or of all scopes when undefined. */
  get(characterId: string, scopeId: string | undefined): LatestTurn | null;
  forget(characterId: string): void;
}

export function createLatestTurns(redaction: () => Redaction): LatestTurns {
  const byScope = new Map<string, { readonly characterId: string; readonly turn: LatestTurn }>();
  const keyOf = (characterId: string, scopeId: string) => JSON.stringify([characterId, scopeId]);
  return {
    record(turn, note, moved, at) {
      const key = keyOf(note.characterId, note.scopeId);
      // The newest entries come last.
      byScope.delete(key);
      if (byScope.size >= MAX_CACHED_SCOPES) byScope.delete(byScope.keys().next().value as string);
      const latest: LatestTurn = {
        trace_id: turn.traceId,
        session_id: turn.session.id,
        scope_id: note.scopeId,
        target_id: note.targetId,
        at,
        state_before: moved.before,
        state_after: moved.state,
        relationship_before: note.bond,
        relationship_after: moved.bond,
        signals: note.signals,
        plan: note.plan,
        memory_ids: MEMORIES.of(turn)?.memory_ids ?? [],
        world_book_entry_ids: WORLD_BOOKS.of(turn)?.entry_ids ?? [],
        prompt_layers: turn.prompt.map(({ key: layer, priority, text }) => ({
          key: layer,
          priority,
          chars: text.length,
        })),
        auto_state: { ran: false, source: "local" },
        sticker: readSticker(turn),
      };
      byScope.set(key, { characterId: note.characterId, turn: redaction().mask(latest) as LatestTurn });
    },
    autoState(characterId, scopeId, source) {
      const known = byScope.get(keyOf(characterId, scopeId));
      if (!known) return;
      byScope.set(keyOf(characterId, scopeId), {
        characterId,
        turn: { ...known.turn, auto_state: { ran: true, source } },
      });
    },
    onStickerSent(traceId) {
      for (const [key, { characterId, turn }] of byScope) {
        if (turn.trace_id !== traceId || turn.sticker.sent) continue;
        byScope.set(key, { characterId, turn: { ...turn, sticker: { ...turn.sticker, sent: true } } });
      }
    },
    get(characterId, scopeId) {
      if (scopeId !== undefined) return byScope.get(keyOf(characterId, scopeId))?.turn ?? null;
      const mine = [...byScope.values()].filter((one) => one.characterId === characterId);
      return mine.at(-1)?.turn ?? null;
    },
    forget(characterId) {
      for (const [key, one] of byScope) if (one.characterId === characterId) byScope.delete(key);
    },
  };
}

function readSticker(turn: Turn): LatestTurn["sticker"] {
  const { tried = false, category = null } = STICKER.of(turn) ?? {};
  const sent = turn.replies.some(({ attachments }) => attachments.some(({ type }) => type === "sticker"));
  return { tried, sent, category };
}

import { derivedId, type LiveEvents, type TurnStage, type WorkspaceDoer, type WorkspaceItem } from "@parley/core";
import type { WorkspaceAction } from "./workspace-state.ts";

const MAX_OPEN_TURNS = 500;
const MAX_CHANGES = 100;

export interface WorkspaceChange {
  readonly scope: WorkspaceItem["scope"];
  readonly path: string;
  readonly action: WorkspaceAction;
  readonly size: number;
}

/** Summarizes the file changes of each turn, for a card below its answer. */
export interface ChangeCards {
  recordChange(by: WorkspaceDoer, item: WorkspaceItem, action: WorkspaceAction): void;
  readonly beginStage: TurnStage;
  readonly endStage: TurnStage;
}

interface TurnChanges {
  readonly sessionId: string;
  readonly changes: readonly WorkspaceChange[];
  /** True when the changes belong to a running turn. */
  readonly isTurn: boolean;
}

export function createChangeCards(events: Pick<LiveEvents, "publish">): ChangeCards {
  const open = new Map<string, TurnChanges>();
  const keep = (traceId: string, doing: TurnChanges) => {
    const [oldest] = open.keys();
    if (!open.has(traceId) && open.size >= MAX_OPEN_TURNS && oldest !== undefined) open.delete(oldest);
    open.set(traceId, doing);
  };
  const show = (traceId: string, { sessionId, changes }: TurnChanges, is_complete: boolean) =>
    events.publish({
      type: "change_card",
      session_id: sessionId,
      durable: false,
      payload: {
        id: derivedId("card", traceId, "changes"),
        parent_message_id: derivedId("msg", traceId, "reply"),
        changes,
        is_complete,
      },
    });
  const close = (traceId: string) => {
    const doing = open.get(traceId);
    open.delete(traceId);
    if (doing && doing.changes.length > 0) show(traceId, doing, true);
  };
  return {
    recordChange({ traceId, sessionId }, { scope, path, size }, action) {
      const before = open.get(traceId) ?? { sessionId, changes: [], isTurn: false };
      const earlier = before.changes.find((one) => one.scope === scope && one.path === path);
      // A file that was created and then changed in the same turn counts as new.
      const isNew = earlier?.action === "upload" && action === "edit";
      const change = { scope, path, action: isNew ? earlier.action : action, size };
      const others = before.changes.filter((one) => one !== earlier);
      const doing = { ...before, changes: [...others, change].slice(-MAX_CHANGES) };
      keep(traceId, doing);
      show(traceId, doing, !doing.isTurn);
    },
    beginStage: {
      id: "files.changes-begin",
      phase: "prepare",
      async run(turn) {
        keep(turn.traceId, { sessionId: turn.session.id, changes: [], isTurn: true });
        return turn;
      },
    },
    endStage: {
      id: "files.changes",
      phase: "after",
      async run(turn) {
        close(turn.traceId);
        return turn;
      },
      // The changes of the files remain.
      async unanswered(turn) {
        close(turn.traceId);
        return [];
      },
    },
  };
}

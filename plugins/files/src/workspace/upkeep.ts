import { isAbsolute, join } from "node:path";
import type { Environment, LiveEvents, Logger, Paths, Sessions, WorkspaceDoer, WorkspaceItem } from "@parley/core";
import type { ChangeCards } from "./change-cards.ts";
import type { WorkspaceAction } from "./workspace-state.ts";
import type { WorkspaceStore } from "./workspaces.ts";

/** Returns `SVC_WORKSPACE_DIR`, or by default a folder in the data folder. */
export function resolveWorkspaceRoot({ root, data }: Paths, environment: Pick<Environment, "get">): string {
  const given = environment.get("SVC_WORKSPACE_DIR") ?? "";
  if (given === "") return join(data, "workspaces");
  return isAbsolute(given) ? given : join(root, given);
}

/** Creates the publisher of file changes. Changes of the shared workspace are published to everyone. */
export function createChangePublisher(events: Pick<LiveEvents, "publish">, cards: Pick<ChangeCards, "recordChange">) {
  return (item: WorkspaceItem, action: WorkspaceAction, by?: WorkspaceDoer): void => {
    const { name, path, scope, size, session_id } = item;
    const whose = { durable: true, ...(session_id !== null && { session_id }) };
    if (action === "upload") {
      events.publish({ type: "workspace_file_uploaded", ...whose, payload: { filename: name, path, scope, size } });
    }
    events.publish({ type: "workspace_file_changed", ...whose, payload: { scope, path, action, size } });
    if (by) cards.recordChange(by, item, action);
  };
}

/** Removes the workspace of each deleted session; returns an unsubscribe function. */
export function followDeletedSessions(
  events: Pick<LiveEvents, "subscribe">,
  workspaces: Pick<WorkspaceStore, "removeSession">,
  log: Logger,
): () => void {
  return events.subscribe((event) => {
    if (event.type !== "session_updated" || event.payload.action !== "deleted") return;
    const { session_id } = event;
    if (session_id === undefined) return;
    workspaces
      .removeSession(session_id)
      .catch((error) => log.error("the workspace of a deleted session could not be removed", { session_id, error }));
  });
}

/** Removes workspaces whose session no longer exists; returns their number. */
export async function removeOrphanWorkspaces(
  workspaces: Pick<WorkspaceStore, "sessionFolders" | "removeSession">,
  sessions: Pick<Sessions, "find"> | undefined,
): Promise<number> {
  if (!sessions) return 0;
  let removed = 0;
  for (const name of await workspaces.sessionFolders()) {
    // A folder named by a digest does not reveal its session.
    if (name.startsWith("_") || (await sessions.find(name))) continue;
    await workspaces.removeSession(name);
    removed += 1;
  }
  return removed;
}

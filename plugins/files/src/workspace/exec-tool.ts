import Joi from "@hapi/joi";
import { AppError, type Sandbox, type Tool, textOf, tool } from "@parley/core";
import { doerOf } from "./tools.ts";
import type { WorkspaceStore } from "./workspaces.ts";

const MAX_SECONDS = 120;

export interface ExecToolParts {
  readonly workspaces: Pick<WorkspaceStore, "work">;
  readonly sandbox: () => Sandbox | undefined;
  /** Whether commands may be run at all. */
  readonly isOn: () => boolean;
}

/** Runs a command in the workspace of the conversation that calls, apart from the rest of the machine. */
export function execTool({ workspaces, sandbox, isOn }: ExecToolParts): Tool {
  return tool<{ readonly command: string; readonly timeout: number }>({
    name: "exec_command",
    purpose: `Runs a shell command in the workspace of this conversation, without network; a person is asked before. At most ${MAX_SECONDS} s.`,
    args: Joi.object({
      command: textOf(4_000).trim().min(1).disallow("").required(),
      timeout: Joi.number().integer().min(1).max(MAX_SECONDS).default(30).description("Seconds"),
    }),
    scope: "gateway.read",
    risk: "high",
    audience: ["ai"],
    group: "files",
    answersAreData: true,
    isOffered: () => isOn() && sandbox() !== undefined,
    timeoutMs: (MAX_SECONDS + 10) * 1_000,
    async run({ command, timeout }, context) {
      const { isConfirmed, sessionId, signal } = context;
      if (!isConfirmed) throw new AppError("confirmation_required", "a person must agree to each run");
      if (sessionId === undefined) throw new AppError("bad_request", "there is no conversation to work in");
      const apart = sandbox();
      if (!apart) throw new AppError("unavailable", "commands need the plugin 'skills'");
      const options = { signal, by: doerOf(context) };
      return workspaces.work({ scope: "private", sessionId }, options, (folder, ends) =>
        apart.run({
          folder,
          at: "/workspace",
          isWritable: true,
          command: ["sh", "-c", command],
          limitMs: timeout * 1_000,
          signal: ends,
        }),
      );
    },
  });
}

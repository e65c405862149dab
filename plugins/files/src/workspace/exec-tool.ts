import Joi from "@hapi/joi";
import { type Sandbox, type Tool, textOf, tool } from "@parley/core";
import { filesTexts } from "../texts.ts";
import { toDoer } from "./tools.ts";
import type { WorkspaceStore } from "./workspaces.ts";

const MAX_SECONDS = 120;

export interface ExecToolDeps {
  readonly workspaces: Pick<WorkspaceStore, "runProgram">;
  readonly sandbox: () => Sandbox | undefined;
  /** Returns true when commands may be run. */
  readonly isEnabled: () => boolean;
}

/** Creates the tool that runs a command in the workspace of the calling conversation, inside the sandbox. */
export function createExecTool({ workspaces, sandbox, isEnabled }: ExecToolDeps): Tool {
  return tool<{ readonly command: string; readonly timeout: number }>({
    name: "exec_command",
    help: {
      en: "Runs a command in the isolated workspace; each time it asks first.",
      zh: "在工作区的隔离环境中运行命令，每次都会先确认。",
    },
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
    isOffered: () => isEnabled() && sandbox() !== undefined,
    timeoutMs: (MAX_SECONDS + 10) * 1_000,
    async run({ command, timeout }, context) {
      const { isConfirmed, sessionId, signal } = context;
      if (!isConfirmed) throw filesTexts.error("confirmation_required", "run_unconfirmed");
      if (sessionId === undefined) throw filesTexts.error("bad_request", "nowhere_to_run");
      const isolated = sandbox();
      if (!isolated) throw filesTexts.error("unavailable", "no_sandbox");
      const options = { signal, by: toDoer(context) };
      return workspaces.runProgram({ scope: "private", sessionId }, options, (folder, ends) =>
        isolated.run({
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

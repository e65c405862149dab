import Joi from "@hapi/joi";
import { messageText, type Tool, tool } from "@parley/core";
import type { RunStore } from "./runs/run-store.ts";
import type { Starter } from "./runs/starter.ts";
import { automationTexts } from "./texts.ts";
import type { Workflows } from "./workflows/workflows.ts";

export interface AutomationToolsDeps {
  readonly workflows: Workflows;
  readonly starter: Starter;
  readonly store: RunStore;
}

/** Creates the tools for the web agent and for workflows. */
export function createAutomationTools({ workflows, starter, store }: AutomationToolsDeps): readonly Tool[] {
  return [
    tool<{ limit: number }>({
      name: "agent_list_workflows",
      purpose: "Lists the workflows with their purpose and the outcome of their last run.",
      scope: "gateway.read",
      risk: "read",
      audience: ["web-agent"],
      args: Joi.object({ limit: Joi.number().integer().min(1).max(200).default(50) }),
      async run({ limit }, { callerId }) {
        const caller = { credentialId: callerId } as never;
        const { items, total } = await workflows.records.page({ limit, offset: 0 }, caller);
        const views = (await workflows.toViews(items)).map(({ id, name, description, enabled, trigger, ...more }) => {
          const { status, next_run } = more as { readonly status?: string; readonly next_run?: string | null };
          return { id, name, description: description.slice(0, 500), enabled, trigger, status, next_run };
        });
        return { workflows: views, count: views.length, total, truncated: views.length < total };
      },
    }),
    tool<{ workflow_id: string; content: string }>({
      name: "agent_run_workflow",
      purpose: "Starts a workflow by its id and returns the id of the run, without waiting for its end.",
      help: { en: "Starts a workflow, which then runs by itself.", zh: "启动一个工作流，之后由其自行运行。" },
      scope: "worker.manage",
      risk: "action",
      audience: ["ai", "web-agent"],
      args: Joi.object({
        workflow_id: Joi.string().max(128).required(),
        content: messageText().default(""),
      }),
      async run({ workflow_id, content }, { traceId, inbound, isAdmin, callerId, order }) {
        if (inbound && isAdmin !== true) throw automationTexts.error("permission_denied", "admins_only");
        const parent = await store.findByTrace(traceId);
        const by = order ?? { by: callerId, maySpeak: isAdmin === true };
        const request = { trigger: "manual", content, by, ...(parent && { parent }) } as const;
        const { run_id, status, trace_id } = await starter.start("workflow", workflow_id, request);
        return { run_id, status, trace_id };
      },
    }),
  ];
}

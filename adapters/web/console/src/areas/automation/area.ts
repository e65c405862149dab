import type { Area } from "../../shared/area.ts";

export const TABS = ["workflows", "tasks", "heartbeat", "calendar", "runs"] as const;

/** Placeholder id of a workflow that is not stored yet. */
export const NEW_WORKFLOW = "new";

export const area: Area = {
  id: "automation",
  paths: ["/automation", "/automation/$tab", "/automation/workflows/$workflowId"],
  tabs: TABS,
  page: async () => (await import("./page.tsx")).AutomationPage,
};

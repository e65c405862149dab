import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "automation",
  paths: ["/automation", "/automation/$tab", "/automation/workflows/$workflowId"],
  page: async () => (await import("./page.tsx")).AutomationPage,
};

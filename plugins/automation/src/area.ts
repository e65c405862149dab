import type { ConsoleArea } from "@parley/core";

export const AREA: ConsoleArea = {
  id: "automation",
  group: "automation",
  title: { en: "Workflows and tasks", zh: "工作流与任务" },
  icon: "task",
  order: 10,
  view: { kind: "page", page: "automation" },
};

import type { ConsoleArea } from "@parley/core";

export const AREA: ConsoleArea = {
  id: "automation",
  group: "automation",
  title: { en: "Automation", zh: "自动化" },
  icon: "task",
  order: 10,
  view: { kind: "page", page: "automation" },
};

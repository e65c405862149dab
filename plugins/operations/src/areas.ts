import type { ConsoleArea } from "@parley/core";

/** Pages of the console about the service itself. */
export const OWN_AREAS: readonly ConsoleArea[] = [
  {
    id: "plugins",
    group: "system",
    title: { en: "Plugins", zh: "插件" },
    icon: "plug",
    order: 20,
    scope: "admin",
    view: { kind: "page", page: "plugins" },
  },
  {
    id: "status",
    group: "system",
    title: { en: "Status", zh: "状态" },
    icon: "status",
    order: 30,
    view: { kind: "page", page: "status" },
  },
  {
    id: "settings",
    group: "system",
    title: { en: "Settings", zh: "设置" },
    icon: "settings",
    order: 40,
    scope: "admin",
    view: { kind: "page", page: "settings" },
  },
  {
    id: "transfer",
    group: "system",
    title: { en: "Export and import", zh: "导出与导入" },
    icon: "file",
    order: 50,
    scope: "admin",
    view: { kind: "page", page: "transfer" },
  },
];

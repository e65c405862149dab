import type { ConsoleArea } from "@parley/core";

const conversationsArea: ConsoleArea = {
  id: "conversations",
  group: "chat",
  title: { en: "Conversations", zh: "会话" },
  icon: "chat",
  order: 10,
  view: { kind: "page", page: "conversations" },
};

const broadcastsArea: ConsoleArea = {
  id: "broadcasts",
  group: "connections",
  title: { en: "Broadcasts", zh: "群发" },
  icon: "send",
  order: 15,
  scope: "admin",
  view: { kind: "page", page: "broadcasts" },
};

const peopleArea: ConsoleArea = {
  id: "person-data",
  group: "safety",
  title: { en: "People", zh: "用户数据" },
  icon: "archive",
  scope: "admin",
  view: { kind: "page", page: "people" },
};

export const CONSOLE_AREAS: readonly ConsoleArea[] = [conversationsArea, broadcastsArea, peopleArea];

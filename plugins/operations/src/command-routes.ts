import { type ChatCommand, inLanguage, type RouteTable, route } from "@parley/core";
import { type List, toPage } from "@parley/core/http";
import { commandList } from "./response-schemas.ts";
import { type CommandQuery, commandQuery } from "./schema.ts";

export function createCommandRoutes(
  commands: () => readonly ChatCommand[],
  channels: () => readonly string[],
): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/commands",
      summary: "list the chat commands",
      data: commandList,
      query: commandQuery,
      run: ({ query }) => listCommands(commands(), channels(), query),
    }),
  ];
}

function listCommands(
  commands: readonly ChatCommand[],
  channels: readonly string[],
  { category, admin_only, channel, ...page }: CommandQuery,
): List<object> {
  const items = commands
    .filter(() => channel === undefined || channels.includes(channel))
    .filter((command) => category === undefined || command.category === category)
    .filter((command) => admin_only === undefined || command.adminOnly === admin_only)
    .map(({ name, aliases = [], usage, help, category: group, adminOnly }) => ({
      name,
      aliases,
      usage: inLanguage(usage, "en"),
      usage_texts: { en: inLanguage(usage, "en"), zh: inLanguage(usage, "zh") },
      help_text: inLanguage(help, "en"),
      help: { en: inLanguage(help, "en"), zh: inLanguage(help, "zh") },
      category: group,
      category_name: group,
      admin_only: adminOnly,
      package: "",
      channels,
    }))
    .sort((a, b) => (a.category + a.name < b.category + b.name ? -1 : 1));
  return toPage(items, page);
}

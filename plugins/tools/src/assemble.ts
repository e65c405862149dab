import {
  Clock,
  Databases,
  Egress,
  Environment,
  Files,
  HostControl,
  LiveEvents,
  ModelCalls,
  Models,
  RecordStore,
  Redaction,
  type Resolver,
  Sessions,
  Settings,
  Signals,
  ToolGuard,
  Workspaces,
} from "@parley/core";
import { createModelPurposes } from "./built-in/model-purposes.ts";
import { createTodos } from "./built-in/todos.ts";
import { type CustomTools, createCustomTools } from "./custom/custom-tools.ts";
import type { HttpCallDeps } from "./custom/http-call.ts";
import { customTools } from "./schema.ts";
import { PRIVATE_ADDRESSES } from "./settings.ts";
import { createSwitches } from "./switches.ts";
import { createToolList } from "./tool-list.ts";

/** Creates the services of the plugin: tools of the operator, switches, the list of all tools, and todos. */
export function assemble(from: Resolver) {
  const events = from.get(LiveEvents);
  const database = () => from.get(Databases).main;
  const switches = createSwitches(database, () => from.find(Signals));
  const calls: HttpCallDeps = {
    egress: () => from.get(Egress),
    environment: () => from.get(Environment),
    reach: () => (from.get(Settings).get(PRIVATE_ADDRESSES) ? "private" : "public"),
  };
  const custom: CustomTools = createCustomTools({
    ...calls,
    stored: () => from.get(RecordStore).cached(customTools),
    isTaken: (name) => listContributed().some((one) => one.name.toLowerCase() === name.toLowerCase()),
  });
  /** Returns the tools of plugins, without those of MCP servers. */
  const listContributed = () => {
    const own = new Set(custom.listAll().map(({ name }) => name));
    const known = from.find(ToolGuard)?.known() ?? [];
    return known.filter(({ name }) => !own.has(name) && !name.startsWith("mcp__"));
  };
  const purposes = createModelPurposes(() => from.find(Models));
  return {
    switches,
    custom,
    purposes,
    list: createToolList({
      custom,
      switches,
      listContributed: () => listContributed().filter(({ audience }) => audience.includes("ai")),
      events,
      startedAt: () => from.get(HostControl).startedAt,
    }),
    todos: createTodos({ database, events }),
    testing: { ...calls, custom, redaction: () => from.get(Redaction), clock: from.get(Clock) },
    web: {
      ...calls,
      settings: () => from.get(Settings),
      workspaces: () => from.find(Workspaces),
    },
    images: {
      ...calls,
      calls: () => from.get(ModelCalls),
      files: () => from.get(Files),
      hasModelFor: purposes.has,
    },
    sessions: () => from.get(Sessions),
  };
}

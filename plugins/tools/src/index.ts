import {
  addRecords,
  addResource,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Egress,
  Environment,
  Files,
  HostControl,
  type KnownTool,
  LiveEvents,
  MessageFilter,
  ModelCalls,
  Models,
  Nodes,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  Redaction,
  type Resolver,
  RouteTables,
  runOnceVersionsMatch,
  type SealedRecords,
  Sessions,
  SettingDefinitions,
  Settings,
  Signals,
  sealedRecords,
  serviceKey,
  ToolGuard,
  ToolImplementations,
  ToolSources,
  ToolSwitches,
  Tools,
  ToolTables,
  TransferSections,
  type TurnStage,
  TurnStages,
  Workspaces,
} from "@parley/core";
import { createConversationTools } from "./built-in/conversation.ts";
import { createDateTimeTool } from "./built-in/date-time.ts";
import { createDownloadTool } from "./built-in/download.ts";
import { createHttpGetTool } from "./built-in/http-get.ts";
import { attachImagesStage, createImageTools } from "./built-in/images.ts";
import { createJsonService } from "./built-in/json-service.ts";
import { createModelPurposes, type ModelPurposes } from "./built-in/model-purposes.ts";
import { createSearchTools } from "./built-in/search.ts";
import { createTodos, type Todos } from "./built-in/todos.ts";
import { createWeatherTool } from "./built-in/weather.ts";
import { type CustomTools, createCustomTools } from "./custom/custom-tools.ts";
import type { HttpCallDeps } from "./custom/http-call.ts";
import { createToolImplementations } from "./custom/implementations.ts";
import { todoRoutes, toolRoutes } from "./routes.ts";
import { customTools, TOOL_SECRETS, type ToolFields } from "./schema.ts";
import { PRIVATE_ADDRESSES, TOOL_SETTINGS, type ToolsConfig, toolsConfig, WEATHER } from "./settings.ts";
import { createSwitches, type StoredSwitches, TOOL_MIGRATIONS } from "./switches.ts";
import { createToolList, type ToolList } from "./tool-list.ts";
import { createToolsSection } from "./transfer.ts";

const Custom = serviceKey<CustomTools>("tools.custom");
const Stored = serviceKey<SealedRecords<ToolFields>>("tools.stored");
const Switches = serviceKey<StoredSwitches>("tools.switches");
const OwnTodos = serviceKey<Todos>("tools.todos");
const OwnModelPurposes = serviceKey<ModelPurposes>("tools.purposes");
const List = serviceKey<ToolList>("tools.list");

const AREA: ConsoleArea = {
  id: "tools",
  group: "bot",
  title: { en: "Tools", zh: "工具" },
  icon: "tool",
  scope: "admin",
  view: { kind: "page", page: "tools" },
};

/** Tools of people's own over HTTP, and the tools that come with the service. */
export default definePlugin<ToolsConfig>({
  id: "tools",
  requires: [Databases, RecordStore, Settings],
  config: toolsConfig,
  register(context) {
    const { config, provide, contribute } = context;
    provide(Switches, (from) =>
      createSwitches(
        () => from.get(Databases).main,
        () => from.find(Signals),
      ),
    );
    provide(ToolSwitches, (from) => from.get(Switches));
    provide(Stored, (from) =>
      sealedRecords(customTools, () => from.get(RecordStore).of(customTools), {
        secrets: TOOL_SECRETS,
        owner: customTools.kind,
        from,
        log: context.log,
      }),
    );
    provide(Custom, (from) =>
      createCustomTools({
        ...toHttpCallDeps(from),
        stored: () => from.get(Stored),
        isTaken: (name) => contributed(from).some((one) => one.name.toLowerCase() === name.toLowerCase()),
      }),
    );
    provide(ToolImplementations, (from) => createToolImplementations(from.get(Custom)));
    provide(OwnModelPurposes, (from) => createModelPurposes(() => from.find(Models)));
    provide(OwnTodos, (from) =>
      createTodos({ database: () => from.get(Databases).main, events: from.get(LiveEvents) }),
    );
    provide(List, (from) =>
      createToolList({
        custom: from.get(Custom),
        switches: from.get(Switches),
        listContributed: () => contributed(from).filter(({ audience }) => audience.includes("ai")),
        events: from.get(LiveEvents),
        startedAt: () => from.get(HostControl).startedAt,
      }),
    );
    for (const definition of TOOL_SETTINGS) contribute(SettingDefinitions, () => definition);
    addRecords(context, customTools);
    addResource(context, customTools, (from) => from.get(List).records);
    contribute(RouteTables, (from) =>
      toolRoutes(from.get(List), {
        ...toHttpCallDeps(from),
        custom: from.get(Custom),
        redaction: () => from.get(Redaction),
        clock: from.get(Clock),
      }),
    );
    contribute(RouteTables, (from) => todoRoutes(from.get(OwnTodos), () => from.get(Sessions)));
    contribute(ToolSources, (from) => from.get(Custom));
    contribute(ToolTables, (from) => createWebTools(from, config));
    contribute(ToolTables, (from) => from.get(OwnTodos).tools);
    for (const at of [0, 1]) contribute(TurnStages, (from) => from.get(OwnTodos).stages[at] as TurnStage);
    contribute(
      RecordLifecycle,
      (): RecordPart => ({ id: "tools.of-person", of: "person", tables: [{ table: "tool_switches", isKept: true }] }),
    );
    contribute(RecordLifecycle, (from) => from.get(OwnTodos).sessionPart);
    contribute(ToolTables, (from) =>
      createConversationTools({ sessions: () => from.get(Sessions), filter: () => from.find(MessageFilter) }),
    );
    contribute(ToolTables, (from) =>
      createImageTools({
        ...toHttpCallDeps(from),
        calls: () => from.get(ModelCalls),
        files: () => from.get(Files),
        hasModelFor: from.get(OwnModelPurposes).has,
      }),
    );
    contribute(TurnStages, () => attachImagesStage);
    contribute(Tools, (from) => createDateTimeTool(from.get(Clock), () => from.get(Settings)));
    contribute(TransferSections, (from) =>
      createToolsSection(
        () => from.get(List),
        () => from.get(Custom),
      ),
    );
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, find, log, defer }) {
    await get(Databases).main.migrate("tools", TOOL_MIGRATIONS);
    defer(get(Switches).follow((error) => log.warn("tool switches could not be reloaded", { error })));
    await get(Switches).load();
    defer(get(Custom).follow());
    await get(Custom).load();
    defer(await runOnceVersionsMatch(find(Nodes), log, () => get(Custom).sealAll()));
  },
  async ready({ get, find, defer, log }) {
    const purposes = get(OwnModelPurposes);
    const look = () => purposes.look().catch((error: unknown) => log.warn("models could not be read", { error }));
    defer(find(Models)?.onChanged(() => void look()) ?? (() => {}));
    await look();
  },
});

/** Returns the tools of plugins, including those of MCP servers. */
function contributed(from: Resolver): readonly KnownTool[] {
  const own = new Set(
    from
      .get(Custom)
      .all()
      .map(({ name }) => name),
  );
  const known = from.find(ToolGuard)?.known() ?? [];
  return known.filter(({ name }) => !own.has(name) && !name.startsWith("mcp__"));
}

function toHttpCallDeps(from: Resolver): HttpCallDeps {
  return {
    egress: () => from.get(Egress),
    environment: () => from.get(Environment),
    reach: () => (from.get(Settings).get(PRIVATE_ADDRESSES) ? "private" : "public"),
  };
}

function createWebTools(from: Resolver, config: ToolsConfig) {
  const egress = () => from.get(Egress);
  const settings = () => from.get(Settings);
  // Their addresses are in config.ini, which nobody can change over the network.
  const open = createJsonService(egress, "private");
  return [
    createHttpGetTool(toHttpCallDeps(from)),
    createDownloadTool({ ...toHttpCallDeps(from), workspaces: () => from.find(Workspaces) }),
    createWeatherTool({
      service: open,
      forecastUrl: config.open_meteo_url,
      geocodingUrl: config.geocoding_url,
      isEnabled: () => settings().get(WEATHER) !== "off",
    }),
    ...createSearchTools({ publicService: open, ownService: open, settings, config }),
  ];
}

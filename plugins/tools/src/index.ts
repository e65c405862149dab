import {
  addRecords,
  addResource,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  MessageFilter,
  Models,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  RouteTables,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolImplementations,
  ToolSources,
  ToolSwitches,
  Tools,
  ToolTables,
  TransferSections,
  type TurnStage,
  TurnStages,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createConversationTools } from "./built-in/conversation.ts";
import { createDateTimeTool } from "./built-in/date-time.ts";
import { attachImagesStage, createImageTools } from "./built-in/images.ts";
import { createWebTools } from "./built-in/web-tools.ts";
import { createToolImplementations } from "./custom/implementations.ts";
import { createTodoRoutes, createToolRoutes } from "./routes.ts";
import { customTools } from "./schema.ts";
import { TOOL_SETTINGS, type ToolsConfig, toolsConfig } from "./settings.ts";
import { TOOL_MIGRATIONS } from "./switches.ts";
import { createToolsSection } from "./transfer.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("tools.own");

const AREA: ConsoleArea = {
  id: "tools",
  group: "bot",
  title: { en: "Tools", zh: "工具" },
  icon: "tool",
  scope: "admin",
  view: { kind: "page", page: "tools" },
};

const PERSON_LIFECYCLE: RecordPart = {
  id: "tools.of-person",
  of: "person",
  tables: [{ table: "tool_switches", isKept: true }],
};

/** Provides custom tools over HTTP, and the bundled tools. */
export default definePlugin<ToolsConfig>({
  id: "tools",
  requires: [Databases, RecordStore, Settings],
  config: toolsConfig,
  register(context) {
    const { config, provide, contribute } = context;
    provide(Own, (from) => assemble(from));
    provide(ToolSwitches, (from) => from.get(Own).switches);
    provide(ToolImplementations, (from) => createToolImplementations(from.get(Own).custom));
    for (const definition of TOOL_SETTINGS) contribute(SettingDefinitions, () => definition);
    addRecords(context, customTools);
    addResource(context, customTools, (from) => from.get(Own).list.records);
    contribute(RouteTables, (from) => createToolRoutes(from.get(Own).list, from.get(Own).testing));
    contribute(RouteTables, (from) => createTodoRoutes(from.get(Own).todos, from.get(Own).sessions));
    contribute(ToolSources, (from) => from.get(Own).custom);
    contribute(ToolTables, (from) => createWebTools(from.get(Own).web, config));
    contribute(ToolTables, (from) => createImageTools(from.get(Own).images));
    contribute(ToolTables, (from) => from.get(Own).todos.tools);
    contribute(ToolTables, (from) =>
      createConversationTools({ sessions: from.get(Own).sessions, filter: () => from.find(MessageFilter) }),
    );
    contribute(Tools, (from) => createDateTimeTool(from.get(Clock), () => from.get(Settings)));
    for (const at of [0, 1]) contribute(TurnStages, (from) => from.get(Own).todos.stages[at] as TurnStage);
    contribute(TurnStages, () => attachImagesStage);
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    contribute(RecordLifecycle, (from) => from.get(Own).todos.sessionPart);
    contribute(TransferSections, (from) =>
      createToolsSection(
        () => from.get(Own).list,
        () => from.get(Own).custom,
      ),
    );
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, log, defer }) {
    await get(Databases).main.migrate("tools", TOOL_MIGRATIONS);
    const { switches, custom } = get(Own);
    defer(switches.follow((error) => log.warn("tool switches could not be reloaded", { error })));
    await switches.load();
    defer(await custom.load());
  },
  async ready({ get, find, defer, log }) {
    const { purposes } = get(Own);
    const look = () => purposes.refresh().catch((error: unknown) => log.warn("models could not be read", { error }));
    defer(find(Models)?.onChanged(() => void look()) ?? (() => {}));
    await look();
  },
});

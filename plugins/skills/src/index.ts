import { join } from "node:path";
import {
  addRecords,
  addResource,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Environment,
  LiveEvents,
  Paths,
  PromptSources,
  RecordStore,
  RouteTables,
  resourceChanged,
  Sandbox,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolImplementations,
  ToolTables,
  TransferSections,
  Workspaces,
} from "@parley/core";
import { createModelTools } from "./model-tools.ts";
import { createSkillsSource } from "./prompt.ts";
import { createSkillRoutes } from "./routes.ts";
import { createSandbox } from "./sandbox/sandbox.ts";
import { skillResource } from "./schema.ts";
import { SKILL_SCRIPTS } from "./settings.ts";
import { createSkills, type Skills } from "./skills.ts";
import { createSkillFolders, type SkillFolders } from "./storage/skill-folders.ts";
import { createStorageRoutes } from "./storage/storage-routes.ts";
import { createSkillsSection } from "./transfer.ts";

const Own = serviceKey<Skills>("skills.skills");
const Folders = serviceKey<SkillFolders>("skills.folders");

const AREA: ConsoleArea = {
  id: "skills",
  group: "bot",
  title: { en: "Skills", zh: "技能" },
  icon: "star",
  scope: "admin",
  view: { kind: "page", page: "skills" },
};

/** Provides skills: folders of instructions, files and scripts that models read when they need them. */
export default definePlugin({
  id: "skills",
  requires: [RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(Folders, (from) => createSkillFolders(join(from.get(Paths).data, "skills")));
    provide(Sandbox, (from) => createSandbox(from.get(Environment).get("PATH") ?? "/usr/bin:/bin"));
    provide(Own, (from) =>
      createSkills({
        stored: () => from.get(RecordStore).cached(skillResource),
        folders: from.get(Folders),
        implementations: () => from.find(ToolImplementations),
        getExclusive: () => from.find(Databases)?.alone,
      }),
    );
    contribute(SettingDefinitions, () => SKILL_SCRIPTS);
    addRecords(context, skillResource);
    addResource(context, skillResource, (from) => from.get(Own).records);
    contribute(RouteTables, (from) => createSkillRoutes(from.get(Own)));
    contribute(RouteTables, (from) =>
      createStorageRoutes({
        skills: from.get(Own),
        folders: from.get(Folders),
        onChanged(name) {
          const id = from.get(Own).findId(name);
          if (id !== null) from.get(LiveEvents).publish(resourceChanged(skillResource, id, "updated"));
        },
      }),
    );
    contribute(PromptSources, (from) => createSkillsSource(() => from.get(Own)));
    contribute(ToolTables, (from) =>
      createModelTools({
        skills: from.get(Own),
        folders: from.get(Folders),
        implementations: () => from.find(ToolImplementations),
        sandbox: () => from.get(Sandbox),
        workspaces: () => from.find(Workspaces),
        canRunScripts: () => from.get(Settings).get(SKILL_SCRIPTS),
      }),
    );
    contribute(TransferSections, (from) =>
      createSkillsSection(
        () => from.get(Own),
        () => from.get(Folders),
      ),
    );
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Folders).recover();
    await get(RecordStore).cached(skillResource).load();
  },
});

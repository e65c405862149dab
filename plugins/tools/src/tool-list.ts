import {
  type KnownTool,
  type LiveEvents,
  type Localized,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type ToolGroup,
  toRecordPage,
} from "@parley/core";
import type { CustomTool, CustomTools } from "./custom/custom-tools.ts";
import { toInputSchema } from "./custom/input-schema.ts";
import { customTools, TOOL_SECRETS, type ToolFields } from "./schema.ts";
import type { StoredSwitches } from "./switches.ts";
import { toolsTexts } from "./texts.ts";

const BUILTIN_PREFIX = "_builtin_";

export interface ToolView extends CustomTool {
  readonly builtin: boolean;
  readonly source: "custom" | "builtin" | "plugin";
  readonly group: ToolGroup | null;
  readonly help: Localized | null;
  readonly is_offered: boolean;
}

export interface ToolListDeps {
  readonly custom: CustomTools;
  readonly switches: StoredSwitches;
  /** Tools that plugins contribute for models. */
  readonly listContributed: () => readonly KnownTool[];
  readonly events: LiveEvents;
  readonly startedAt: () => number;
}

/** Lists the tools of models, except those of MCP servers, and edits custom tools. */
export interface ToolList {
  readonly records: ResourceRecords<ToolFields>;
  /** Enables or disables a tool; without `enabled`, inverts its state. */
  toggle(id: string, enabled?: boolean): Promise<{ readonly id: string; readonly enabled: boolean }>;
}

export function createToolList({ custom, switches, listContributed, events, startedAt }: ToolListDeps): ToolList {
  const listContributedViews = (): readonly ToolView[] => {
    const at = new Date(startedAt()).toISOString();
    return listContributed().map((one) => toContributedView(one, switches.isOn(one), at));
  };
  const rejectContributed = (id: string) => {
    if (listContributedViews().some((one) => one.id === id)) throw toolsTexts.error("bad_request", "built_in", { id });
  };
  const rejectBuiltInType = (given: Partial<ToolFields>) => {
    if ((given.implementation?.type as string | undefined) === "builtin")
      throw toolsTexts.error("bad_request", "kind", {}, { field: "implementation.type" });
  };
  return {
    records: {
      async page({ source, ...query }) {
        const all = [...listContributedViews(), ...custom.listAll().map(toCustomView)];
        const asked = all.filter((one) => source === undefined || one.source === source);
        return toRecordPage(customTools, asked, query, (a, b) => Number(b.builtin) - Number(a.builtin));
      },
      async get(id) {
        const found = listContributedViews().find((one) => one.id === id) ?? custom.find(id);
        if (!found) throw notFound("tool", id);
        return "builtin" in found ? found : toCustomView(found);
      },
      async create(draft, request) {
        rejectBuiltInType(draft);
        return toCustomView(await custom.create(TOOL_SECRETS.unmasked(draft), request));
      },
      async change(id, patch, request) {
        rejectContributed(id);
        rejectBuiltInType(patch);
        return toCustomView(await custom.change(id, TOOL_SECRETS.unmasked(patch, custom.find(id)), request));
      },
      async remove(id, request) {
        rejectContributed(id);
        await custom.remove(id, request);
      },
    },
    async toggle(id, asked) {
      const found = listContributedViews().find((one) => one.id === id);
      if (!found) {
        const before = custom.find(id);
        if (!before) throw notFound("tool", id);
        const { enabled } = await custom.change(id, { enabled: asked ?? !before.enabled });
        return { id, enabled };
      }
      const enabled = asked ?? !found.enabled;
      await switches.set(found.name, enabled);
      events.publish(resourceChanged(customTools, id, "toggled"));
      return { id, enabled };
    },
  };
}

function toContributedView(one: KnownTool, enabled: boolean, at: string): ToolView {
  const { name, purpose, risk, group = null, help = null, isOffered } = one;
  return {
    id: `${BUILTIN_PREFIX}${name}`,
    name,
    description: purpose,
    enabled,
    parameters: toInputSchema(one),
    implementation: { type: "builtin" } as never,
    requires_confirm: risk === "high",
    builtin: group !== null,
    source: group === null ? "plugin" : "builtin",
    group,
    help,
    is_offered: isOffered?.() !== false,
    created_at: at,
    updated_at: at,
    revision: 1,
  };
}

function toCustomView(item: CustomTool): ToolView {
  const custom = { builtin: false, source: "custom", group: null, help: null, is_offered: true } as const;
  return { ...TOOL_SECRETS.masked(item), ...custom };
}

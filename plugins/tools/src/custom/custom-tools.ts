import Joi, { type CustomHelpers } from "@hapi/joi";
import {
  type CachedRecords,
  type ChangeRequest,
  type ResourceItem,
  reportProblem,
  type Tool,
  type ToolSource,
  tool,
} from "@parley/core";
import { CUSTOM_TOOL_NAME, type ToolFields } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import { checkTool } from "./check-tool.ts";
import { callHttp, type HttpCallDeps } from "./http-call.ts";
import { type ArgumentCheck, loadParameterSchemas, type ParameterSchemas } from "./parameter-schema.ts";
import { type Arguments, fillTemplate } from "./template.ts";

export type CustomTool = ResourceItem<ToolFields>;

export interface CustomToolsDeps extends HttpCallDeps {
  readonly stored: () => CachedRecords<ToolFields>;
  /** Returns true when a built-in or contributed tool has this name, for any audience. */
  readonly isTaken: (name: string) => boolean;
}

/** Custom tools: in memory, because every turn reads them. */
export interface CustomTools extends ToolSource {
  /** Loads the tools, and follows their changes; returns the unsubscribe function. */
  load(): Promise<() => void>;
  listAll(): readonly CustomTool[];
  find(id: string): CustomTool | undefined;
  create(draft: ToolFields, request?: Partial<ChangeRequest>): Promise<CustomTool>;
  change(id: string, patch: Partial<ToolFields>, request?: Partial<ChangeRequest>): Promise<CustomTool>;
  remove(id: string, request: ChangeRequest): Promise<void>;
  /** Creates the argument check of a tool, stored or not; `bad_request` when the tool is invalid. */
  createArgumentCheck(fields: Pick<ToolFields, "parameters" | "implementation">): Promise<ArgumentCheck>;
  run(fields: Pick<ToolFields, "implementation">, args: Arguments, signal: AbortSignal): Promise<string>;
}

export function createCustomTools(deps: CustomToolsDeps): CustomTools {
  const { stored, isTaken, environment } = deps;
  let schemas: Promise<ParameterSchemas> | undefined;
  const loadSchemas = () => {
    schemas ??= loadParameterSchemas();
    return schemas;
  };
  let rows: readonly Tool[] | undefined;
  let loaded: ParameterSchemas | undefined;
  const prepare = async () => {
    loaded = await loadSchemas();
    rows = undefined;
  };
  const rejectTakenName = (name: string, except?: string) => {
    if (!CUSTOM_TOOL_NAME.test(name)) throw toolsTexts.error("bad_request", "name_form", {}, { field: "name" });
    const isOthers = [...stored().values()].some(
      (one) => one.id !== except && one.name.toLowerCase() === name.toLowerCase(),
    );
    if (isOthers || isTaken(name)) throw toolsTexts.error("conflict", "name_taken", { name }, { field: "name" });
  };
  const createArgumentCheck = async (fields: Pick<ToolFields, "parameters" | "implementation">) =>
    checkTool(fields, { schemas: await loadSchemas(), environment: environment() });
  const run: CustomTools["run"] = async ({ implementation }, args, signal) =>
    implementation.type === "static"
      ? fillTemplate(implementation.result, args)
      : callHttp(implementation, args, deps, signal);
  const toTool = (item: CustomTool): Tool => {
    const { name, description, parameters, implementation, requires_confirm } = item;
    const isReading = implementation.type === "static" || implementation.method === "GET";
    const timeoutMs = implementation.type === "http" ? implementation.timeout_s * 1_000 + 1_000 : 5_000;
    return tool<Arguments>({
      name,
      purpose: description,
      args: createArgsSchema(() => getCheck(item)),
      inputSchema: parameters,
      // An administrator permitted the calls by creating the tool.
      scope: "gateway.read",
      risk: requires_confirm ? "high" : isReading ? "read" : "action",
      audience: ["ai"],
      ...(implementation.type === "http" && { answersAreData: true as const }),
      timeoutMs,
      run: (args, { signal }) => run(item, args, signal),
    });
  };
  /** Checks are compiled at the first call, so that a thousand tools do not delay the start. */
  const checks = new WeakMap<CustomTool, ArgumentCheck>();
  const getCheck = (item: CustomTool): ArgumentCheck => {
    const known = checks.get(item);
    if (known) return known;
    if (!loaded) throw toolsTexts.error("unavailable", "not_ready");
    const check = loaded.check(item.parameters);
    checks.set(item, check);
    return check;
  };

  return {
    id: "tools.custom",
    createArgumentCheck,
    run,
    listAll: () => [...stored().values()],
    find: (id) => stored().peek(id),
    tools() {
      // Without the library for schemas, calls could not be checked.
      if (!loaded) return [];
      rows ??= [...stored().values()].filter(({ enabled }) => enabled).map(toTool);
      return rows;
    },
    async load() {
      await stored().load();
      if (stored().size > 0) await prepare();
      return stored().onChanged(() => {
        rows = undefined;
        if (!loaded && stored().size > 0) void prepare();
      });
    },
    async create(draft, request) {
      rejectTakenName(draft.name);
      await createArgumentCheck(draft);
      await prepare();
      return stored().create(draft, request);
    },
    async change(id, patch, request) {
      const { parameters, implementation } = patch;
      if (patch.name !== undefined) rejectTakenName(patch.name, id);
      const item = await stored().get(id);
      if (parameters || implementation) await createArgumentCheck({ ...item, ...patch });
      await prepare();
      return stored().change(id, patch, request);
    },
    remove: (id, request) => stored().remove(id, request),
  };
}

/** Creates a Joi schema that validates arguments with the tool's own JSON Schema. */
function createArgsSchema(check: () => ArgumentCheck) {
  return Joi.object<Arguments>()
    .unknown()
    .custom((args: Arguments, helpers: CustomHelpers) => {
      const problem = check()(args);
      return problem === undefined
        ? args
        : reportProblem(toolsTexts.error("bad_request", "unfit", { problem }), helpers);
    });
}

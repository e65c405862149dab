import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { AppError, type ConfigSections } from "@parley/core";
import { parse } from "ini";
import { FIRST_PARTY } from "./first-party.ts";

/** What was written on the command line. */
export interface Flags {
  readonly config?: string;
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: number;
  readonly mcp?: boolean;
  readonly mcpOnly?: boolean;
  readonly mcpConnect?: string;
}

/** One plugin as configured; `isNamed` when config.ini names it rather than the list of what comes along. */
export interface PluginEntry {
  readonly id: string;
  readonly package: string;
  readonly enabled: boolean;
  readonly isNamed: boolean;
  /** Only the console switched it off. */
  readonly isOffInConsole?: boolean;
  /** Its `[plugin.<id>]` section, with what the console changed over it. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What the console changed: the `plugins` key of data/settings.json. */
export type PluginChanges = Readonly<Record<string, { readonly enabled?: boolean; readonly config?: object }>>;

/** Everything that decides how the service starts. */
export interface Configuration {
  /** The operator's folder. */
  readonly root: string;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly plugins: readonly PluginEntry[];
  readonly changes: PluginChanges;
  /** Of `[plugin.<id>]` sections of ids that no plugin has. */
  readonly strayIds: readonly string[];
  readonly sections: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `.env` under the real environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What could not be used, in sentences. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export interface ConfigurationSource {
  readonly root: string;
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 5000;

/**
 * Reads config.ini, `.env` and data/settings.json; `given` stands for the console's changes in the latter.
 * Flags beat environment beats config.ini beats defaults.
 */
export function readConfiguration(
  { root: folder, flags, env }: ConfigurationSource,
  given?: PluginChanges,
): Configuration {
  const file = resolve(folder, flags.config ?? env.SVC_CONFIG ?? "config.ini");
  const root = flags.config || env.SVC_CONFIG ? dirname(file) : resolve(folder);
  const problems: string[] = [];
  const warnings: string[] = [];
  const ini = readIni(file, Boolean(flags.config ?? env.SVC_CONFIG), problems);
  const environment = { ...readEnv(join(root, ".env"), problems), ...env };
  const sections = sectionsOf(ini);
  const web = sections.web ?? {};
  const dataDir = flags.dataDir ?? environment.SVC_DATA_DIR ?? "data";
  const data = isAbsolute(dataDir) ? dataDir : join(flags.dataDir ? resolve(folder) : root, dataDir);
  const changes = given ?? readChanges(join(data, "settings.json"), warnings);
  return {
    root,
    data,
    host: flags.host ?? environment.SVC_HOST ?? web.host ?? DEFAULT_HOST,
    port: flags.port ?? portOf(environment.SVC_PORT ?? web.port, problems),
    plugins: pluginEntries(ini, changes),
    changes,
    strayIds: strayIds(ini),
    sections: withMcpFlags(sections, flags),
    environment,
    problems,
    warnings,
  };
}

export function createSections(sections: Configuration["sections"]): ConfigSections {
  return { section: (name) => sections[name] ?? {} };
}

type Ini = Readonly<Record<string, unknown>>;

function readIni(file: string, mustExist: boolean, problems: string[]): Ini {
  if (!existsSync(file)) {
    if (mustExist) problems.push(`config: ${file} does not exist`);
    return {};
  }
  try {
    return parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    problems.push(`config: ${file} cannot be read: ${reasonOf(error)}`);
    return {};
  }
}

function readEnv(file: string, problems: string[]): Record<string, string | undefined> {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    problems.push(`${file} cannot be read: ${reasonOf(error)}`);
    return {};
  }
}

/** The console's changes to plugins; a file that cannot be used is left alone and the rest of the start goes on. */
export function readChanges(file: string, warnings: string[]): PluginChanges {
  if (!existsSync(file)) return {};
  try {
    const { plugins = {} } = JSON.parse(readFileSync(file, "utf8"));
    if (isSection(plugins)) return plugins as PluginChanges;
    warnings.push("settings.json: 'plugins' is not an object and is ignored");
  } catch (error) {
    warnings.push(
      `settings.json cannot be read, so changes of plugins made in the console are not in force: ${reasonOf(error)}`,
    );
  }
  return {};
}

// `[plugin.filter]` is read as a section within a section; all others are flat.
function sectionsOf(ini: Ini): Configuration["sections"] {
  const flat = Object.entries(ini).flatMap(([name, section]) =>
    name !== "plugins" && name !== "plugin" && isSection(section) ? [[name, texts(section)] as const] : [],
  );
  return Object.fromEntries(flat);
}

function pluginEntries(ini: Ini, changes: PluginChanges): PluginEntry[] {
  const named = isSection(ini.plugins) ? texts(ini.plugins) : {};
  const settings = isSection(ini.plugin) ? ini.plugin : {};
  const packages = new Map<string, string>(Object.entries(FIRST_PARTY));
  for (const [id, name] of Object.entries(named)) if (!isOff(name)) packages.set(id, name);
  return [...packages].map(([id, name]) => {
    const section = settings[id];
    const entry = {
      id,
      package: name,
      enabled: !isOff(named[id] ?? ""),
      isNamed: id in named,
      settings: isSection(section) ? texts(section) : {},
    };
    return changed(entry, changes[id]);
  });
}

function strayIds({ plugin, plugins }: Ini): readonly string[] {
  const named = isSection(plugins) ? plugins : {};
  const ids = isSection(plugin) ? Object.keys(plugin) : [];
  return ids.filter((id) => !(id in named) && !(id in FIRST_PARTY));
}

/** An entry with what the console changed of it. */
export function changed(entry: PluginEntry, change: PluginChanges[string] | undefined): PluginEntry {
  if (!change) return entry;
  const enabled = change.enabled ?? entry.enabled;
  const isOffInConsole = entry.enabled && !enabled;
  return { ...entry, enabled, isOffInConsole, settings: { ...entry.settings, ...change.config } };
}

function isOff(value: string): boolean {
  return ["off", "false", "no", "0"].includes(value.toLowerCase());
}

function withMcpFlags(
  sections: Configuration["sections"],
  { mcp, mcpOnly, mcpConnect }: Flags,
): Configuration["sections"] {
  const given = {
    ...((mcp || mcpOnly) && { enabled: "true" }),
    ...(mcpOnly && { only: "true" }),
    ...(mcpConnect && { connect_url: mcpConnect }),
  };
  return Object.keys(given).length === 0 ? sections : { ...sections, mcp: { ...sections.mcp, ...given } };
}

function portOf(text: string | undefined, problems: string[]): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  problems.push(`port: '${text}' is not a port`);
  return DEFAULT_PORT;
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function texts(section: Record<string, unknown>): Record<string, string> {
  const values = Object.entries(section).filter(([, value]) => !isSection(value));
  return Object.fromEntries(values.map(([key, value]) => [key, String(value)]));
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const RESERVED = /^(SVC_(?!WEBHOOK_).*|WEB_PASSWORD|PATH|HOME|NODE_OPTIONS)$/;

/** Refuses names of variables that belong to the service itself: nobody may send those elsewhere. */
export function checkVariableName(name: string): void {
  if (!/^[A-Z_][A-Z0-9_]{0,127}$/.test(name)) throw new AppError("bad_request", `'${name}' is not a variable's name`);
  if (RESERVED.test(name)) throw new AppError("bad_request", `'${name}' is reserved for the service itself`);
}

import { createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { type ConfigSections, type Localized, parseEdited } from "@parley/core";
import { isObject } from "@parley/core/json";
import { readLastGood } from "../last-good.ts";
import { BUNDLED_PLUGINS, MERGED_PLUGINS } from "../plugins/first-party.ts";
import { joinAll, sentence, toSentence } from "../sentences.ts";
import { hostTexts } from "../texts.ts";
import { type Ini, isThere, readIni, readText } from "./config-file.ts";
import {
  checkSections,
  checkVariables,
  describeUnknownEntry,
  type Findings,
  parseSwitch,
  suggestName,
} from "./config-schema.ts";

/** Command-line options. */
export interface Flags {
  readonly config?: string;
  readonly dataDir?: string;
  readonly host?: string;
  readonly port?: number;
  readonly mcp?: boolean;
  readonly mcpOnly?: boolean;
  readonly mcpConnect?: string;
}

/** One configured plugin; `isNamed` when config.ini names it, false when it comes from the first-party list. */
export interface PluginEntry {
  readonly id: string;
  readonly package: string;
  readonly enabled: boolean;
  readonly isNamed: boolean;
  /** True when only the console disabled it. */
  readonly isOffInConsole?: boolean;
  /** Its `[plugin.<id>]` section, overridden by changes from the console. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Revision of the console's changes. */
  readonly revision: number;
}

/** Changes made in the console: the `plugins` key of data/settings.json. `salt` never leaves the service. */
export type PluginChanges = Readonly<
  Record<string, { readonly enabled?: boolean; readonly config?: object; readonly salt?: string }>
>;

/** Complete configuration of a start. */
export interface Configuration {
  /** The service folder. */
  readonly root: string;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly plugins: readonly PluginEntry[];
  readonly changes: PluginChanges;
  readonly sections: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The environment of the process, supplemented from `.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Errors as sentences. */
  readonly problems: readonly Localized[];
  readonly warnings: readonly Localized[];
  /** Sentences about unknown entries, which are probably typing mistakes. */
  readonly unknown: readonly Localized[];
}

export interface ConfigurationSource {
  readonly root: string;
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 5000;

/**
 * Reads config.ini, `.env` and data/settings.json; `storedChanges` replaces the plugin changes of the latter. Precedence: flags,
 * environment, config.ini, defaults.
 */
export function readConfiguration(
  { root: folder, flags, env }: ConfigurationSource,
  storedChanges?: PluginChanges,
): Configuration {
  const file = resolve(folder, flags.config ?? env.SVC_CONFIG ?? "config.ini");
  const root = flags.config || env.SVC_CONFIG ? dirname(file) : resolve(folder);
  const problems: Localized[] = [];
  const warnings: Localized[] = [];
  const findings: Findings = { problems, unknown: [], warnings };
  const ini = readIni(file, Boolean(flags.config ?? env.SVC_CONFIG), { problems, warnings });
  const environment = checkVariables({ ...readEnv(join(root, ".env"), problems), ...env }, findings);
  const sections = checkSections(readSections(ini, findings), findings);
  const web = sections.web ?? {};
  const dataDir = flags.dataDir ?? environment.SVC_DATA_DIR ?? "data";
  const data = isAbsolute(dataDir) ? dataDir : join(flags.dataDir ? resolve(folder) : root, dataDir);
  const changes = storedChanges ?? readChanges(join(data, "settings.json"), warnings);
  return {
    root,
    data,
    host: flags.host ?? environment.SVC_HOST ?? web.host ?? DEFAULT_HOST,
    port: flags.port ?? parsePort(environment.SVC_PORT || web.port),
    plugins: toPluginEntries(ini, changes, findings),
    changes,
    sections: withMcpFlags(sections, flags),
    environment,
    problems,
    warnings,
    unknown: findings.unknown,
  };
}

export function createSections(sections: Configuration["sections"]): ConfigSections {
  return { section: (name) => sections[name] ?? {} };
}

function readEnv(file: string, problems: Localized[]): Record<string, string | undefined> {
  if (!isThere(file)) return {};
  try {
    return parseEnv(readText(file));
  } catch (error) {
    problems.push(sentence("env_unread", { file, reason: toSentence(error) }));
    return {};
  }
}

const toPluginChanges = (json: unknown) => (json as { readonly plugins?: unknown }).plugins ?? {};

/** Reads the console's changes of plugins; for an unusable file, those of its last valid content. */
export function readChanges(file: string, warnings: Localized[]): PluginChanges {
  if (!existsSync(file)) return {};
  try {
    const changes = parseEdited(readFileSync(file), toPluginChanges);
    if (isObject(changes)) return changes as PluginChanges;
    warnings.push(sentence("settings_plugins"));
    return {};
  } catch (error) {
    const { content, problem } = readLastGood(dirname(file), file, toPluginChanges);
    const reason = problem
      ? joinAll([toSentence(error), sentence("last_good_unread", { reason: problem })])
      : toSentence(error);
    warnings.push(sentence(content === undefined ? "settings_unread" : "settings_last_good", { reason }));
    return isObject(content) ? (content as PluginChanges) : {};
  }
}

// `[plugin.filter]` is read as a section within a section; all others are flat.
function readSections(ini: Ini, { unknown }: Findings): Configuration["sections"] {
  const flat = Object.entries(ini).flatMap(([name, section]) => {
    if (name === "plugins" || name === "plugin") return [];
    if (!isObject(section)) {
      unknown.push(sentence("in_no_section", { key: name }));
      return [];
    }
    const within = Object.keys(section).filter((key) => isObject(section[key]));
    unknown.push(...within.map((key) => describeUnknownEntry(`[${name}.${key}]`)));
    return [[name, toTexts(section)] as const];
  });
  return Object.fromEntries(flat);
}

function toPluginEntries(ini: Ini, changes: PluginChanges, { problems, unknown }: Findings): PluginEntry[] {
  const named = isObject(ini.plugins) ? toTexts(ini.plugins) : {};
  const settings = isObject(ini.plugin) ? ini.plugin : {};
  const packages = new Map<string, string>(Object.entries(BUNDLED_PLUGINS));
  for (const [id, name] of Object.entries(named)) {
    const into = MERGED_PLUGINS[id];
    const isOwn = parseSwitch(name) !== undefined || name === `@parley/plugin-${id}`;
    if (into !== undefined && isOwn) unknown.push(sentence("plugin_merged", { id, into }));
    else if (parseSwitch(name) === undefined) packages.set(id, name);
    else if (parseSwitch(name) && !packages.has(id))
      problems.push(sentence("entry_wrong", { place: `[plugins] ${id}`, wrong: sentence("name_package") }));
    else if (!packages.has(id))
      unknown.push(describeUnknownEntry(`[plugins] ${id}`, suggestName(id, [...packages.keys()])));
  }
  const names = new Set([...packages.keys(), ...[...packages.values()].map(toSettingsName)]);
  for (const [id, section] of Object.entries(settings)) {
    if (!isObject(section))
      unknown.push(describeUnknownEntry(`[plugin] ${id}`, sentence("meant", { near: "[plugins]" })));
    else if (!names.has(id)) unknown.push(sentence("no_plugin", { id, meant: suggestName(id, [...names]) }));
  }
  return [...packages].map(([id, name]) => {
    const section = settings[toSettingsName(name)] ?? settings[id];
    const entry = {
      id,
      package: name,
      enabled: !isSwitchedOff(named[id] ?? ""),
      isNamed: id in named,
      settings: isObject(section) ? toTexts(section) : {},
      revision: computeRevision(),
    };
    return applyChange(entry, changes[id]);
  });
}

/**
 * Returns the settings name of a package: `postgres` for `@parley/plugin-postgres`. A package that replaces another
 * plugin has its settings under its own name.
 */
function toSettingsName(packageName: string): string {
  return packageName.replace(/^@parley\/(plugin|adapter)-/, "");
}

/**
 * Computes a revision from the stored change: equal content gives an equal revision, after every start. The salt prevents callers from
 * verifying a guessed secret by it; without a salt only the names of settings count, not their values.
 */
export function computeRevision({ salt, ...change }: PluginChanges[string] = {}): number {
  const { config = {}, ...rest } = change;
  const hashed = salt === undefined ? { ...rest, config: Object.keys(config) } : change;
  return (
    1 +
    createHmac("sha256", salt ?? "")
      .update(JSON.stringify(hashed))
      .digest()
      .readUIntBE(0, 6)
  );
}

/** Applies the console's changes to an entry. */
export function applyChange(entry: PluginEntry, change: PluginChanges[string] | undefined): PluginEntry {
  if (!change) return entry;
  const enabled = change.enabled ?? entry.enabled;
  const isOffInConsole = entry.enabled && !enabled;
  return {
    ...entry,
    enabled,
    isOffInConsole,
    settings: { ...entry.settings, ...change.config },
    revision: computeRevision(change),
  };
}

function isSwitchedOff(value: string): boolean {
  return parseSwitch(value) === false;
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

function parsePort(text: string | undefined): number {
  return text === undefined || text === "" ? DEFAULT_PORT : Number(text);
}

function toTexts(section: Record<string, unknown>): Record<string, string> {
  const values = Object.entries(section).filter(([, value]) => !isObject(value));
  return Object.fromEntries(values.map(([key, value]) => [key, String(value)]));
}

export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const RESERVED_VARIABLES = /^(SVC_(?!WEBHOOK_).*|WEB_PASSWORD|PATH|HOME|NODE_OPTIONS)$/;

/** Throws for variable names of the service itself, which must not be sent elsewhere. */
export function checkVariableName(name: string): void {
  if (!/^[A-Z_][A-Z0-9_]{0,127}$/.test(name)) throw hostTexts.error("bad_request", "variable_name", { name });
  if (RESERVED_VARIABLES.test(name)) throw hostTexts.error("bad_request", "variable_reserved", { name });
}

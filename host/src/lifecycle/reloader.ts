import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  checkRevision,
  type HostControl,
  localizeMessage,
  notFound,
  type PluginStatus,
  type ReloadConfigResult,
  type ReloadResult,
} from "@parley/core";
import {
  type Configuration,
  type ConfigurationSource,
  computeRevision,
  readChanges,
  readConfiguration,
} from "../config/configuration.ts";
import { removeNulls, storeChange } from "../config/plugin-changes.ts";
import { findChangedKeys } from "../config/restart-findings.ts";
import type { PluginChange } from "../http/http-generation.ts";
import { disableInConfig, findRemovablePackage, uninstall } from "../packages/remove-package.ts";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { createError, joinAll, sentence, toAnswerMessage } from "../sentences.ts";
import { StartError, toReasons } from "../start-error.ts";
import { hostTexts } from "../texts.ts";
import { createExclusive } from "./exclusive.ts";
import type { RunningSet } from "./running-set.ts";

export interface ReloaderDeps {
  readonly running: RunningSet;
  readonly source: ConfigurationSource;
  load(configuration: Configuration): Promise<readonly LoadedPlugin[]>;
  /** Returns the states of the plugins as the console shows them. */
  status(): readonly PluginStatus[];
}

/** Changes a running service; one change at a time, others are rejected meanwhile. */
export interface Reloader extends Pick<HostControl, "reload" | "reloadConfig"> {
  /** Rejects with `conflict` when the service would not start with the current files and packages. */
  check(): Promise<void>;
  /** Enables, disables or configures a plugin, and stores that for later starts. */
  changePlugin(id: string, change: PluginChange, ifMatch?: number): Promise<PluginStatus>;
  /** Uninstalls a plugin added by `parley add`; its stored data stays. Returns the command that reinstalls it. */
  removePlugin(id: string): Promise<string>;
}

export function createReloader(parts: ReloaderDeps): Reloader {
  const runExclusive = createExclusive(() => hostTexts.error("conflict", "reload_runs", {}, { retryAfterS: 1 }));
  return {
    reload: (ids) => runExclusive(() => reload(parts, ids)),
    reloadConfig: () => runExclusive(async () => reloadConfig(parts)),
    check: () => runExclusive(() => check(parts)),
    changePlugin: (id, change, ifMatch) => runExclusive(() => changePlugin(parts, id, change, ifMatch)),
    removePlugin: (id) => runExclusive(() => removePlugin(parts, id)),
  };
}

async function reload({ running, source, load }: ReloaderDeps, ids?: readonly string[]): Promise<ReloadResult> {
  const known = running
    .generation()
    .status()
    .map(({ id }) => id);
  for (const id of ids ?? []) if (!known.includes(id)) throw notFound("plugin", id);
  const begun = performance.now();
  try {
    const next = readConfiguration(source);
    if (next.problems.length > 0) throw new StartError(next.problems);
    await running.swap(next, await load(next), ids);
    const status = running.generation().status();
    const failed = status.flatMap(({ id, failure, failure_detail: detail }) =>
      failure === null ? [] : [{ name: id, error: failure, ...(detail && { detail }) }],
    );
    const started = status.filter(({ state }) => state === "running").map(({ id }) => id);
    const reloaded = started.filter((id) => ids?.includes(id) ?? true);
    return { reloaded, failed, duration_ms: Math.round(performance.now() - begun) };
  } catch (error) {
    const failed = toReasons(error).map((reason) => ({
      name: /^plugin '([^']+)'/.exec(reason.en)?.[1] ?? "host",
      ...toAnswerMessage(reason),
    }));
    return { reloaded: [], failed, duration_ms: Math.round(performance.now() - begun) };
  }
}

function reloadConfig({ running, source }: ReloaderDeps): ReloadConfigResult {
  const next = readConfiguration(source);
  if (next.problems.length > 0)
    throw createError("bad_request", sentence("config_wrong", { problems: joinAll(next.problems) }));
  const changed = findChangedKeys(running.configuration(), next);
  running.setEnvironment(next.environment);
  return {
    changed,
    restart_required: changed.filter((key) => !key.startsWith("env.")),
    warnings: [...next.warnings, ...next.unknown].map(({ en }) => en),
    warning_texts: [...next.warnings, ...next.unknown],
  };
}

async function check({ running, source, load }: ReloaderDeps): Promise<void> {
  const next = readConfiguration(source);
  const problems = next.problems.length > 0 ? next.problems : running.build(next, await load(next)).problems;
  if (problems.length > 0) throw createError("conflict", sentence("would_not_start", { problems: joinAll(problems) }));
}

async function changePlugin(
  parts: ReloaderDeps,
  id: string,
  change: PluginChange,
  ifMatch: number | undefined,
): Promise<PluginStatus> {
  const { running, source, load, status } = parts;
  const { from } = running.generation();
  rejectRequired(running, id, change);
  const file = join(running.configuration().data, "settings.json");
  const changes = readChanges(file, []);
  const before = changes[id];
  checkRevision({ revision: computeRevision(before) }, ifMatch);
  const config = change.config && removeNulls({ ...before?.config, ...change.config });
  const salt = randomBytes(16).toString("base64url");
  const after = { ...before, ...change, ...(config && { config }), salt };
  const nextConfig = readConfiguration(source, { ...changes, [id]: after });
  const nextLoaded = await load(nextConfig);
  const tried = running.build(nextConfig, nextLoaded);
  const { failure = null, failure_detail: detail } = findPlugin(tried.status(), id);
  const own = change.config && failure !== null ? [localizeMessage(failure, detail)] : [];
  const wrong = tried.problems.length > 0 ? tried.problems : own;
  if (wrong.length > 0) throw createError("bad_request", sentence("plugin_wrong", { problems: joinAll(wrong) }));
  await storeChange(from, file, { id, before, after });
  try {
    await running.swap(nextConfig, nextLoaded);
  } catch (error) {
    await storeChange(running.generation().from, file, { id, before: after, after: before });
    throw createError("conflict", sentence("not_started", { reason: joinAll(toReasons(error)) }), { cause: error });
  }
  return findPlugin(status(), id);
}

async function removePlugin({ running, source, load }: ReloaderDeps, id: string): Promise<string> {
  const { root } = running.configuration();
  const added = findRemovablePackage(root, [findPlugin(running.generation().status(), id)], id);
  const { undo } = await disableInConfig(source, id);
  try {
    const next = readConfiguration(source);
    if (next.problems.length > 0) throw new StartError(next.problems);
    await running.swap(next, await load(next));
  } catch (error) {
    await undo();
    throw createError("conflict", sentence("not_removed", { reason: joinAll(toReasons(error)) }), { cause: error });
  }
  await uninstall(root, added);
  return added.command;
}

function rejectRequired(running: RunningSet, id: string, { enabled }: PluginChange): void {
  const { required_texts: reason } = findPlugin(running.generation().status(), id);
  if (enabled !== false || reason === null) return;
  throw hostTexts.error("conflict", "required", { why: reason, id });
}

function findPlugin(plugins: readonly PluginStatus[], id: string): PluginStatus {
  const one = plugins.find((plugin) => plugin.id === id);
  if (!one) throw notFound("plugin", id);
  return one;
}

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError, type PluginStatus } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import { type ConfigurationSource, toErrorMessage } from "../config/configuration.ts";
import { BUNDLED_PLUGINS, isFirstParty } from "../plugins/first-party.ts";
import { quoteArgument, readLaunch, toLaunchCommand } from "../process/launch-command.ts";
import { createError, sentence, verbatim } from "../sentences.ts";
import { deletePlugin } from "./config-edits.ts";
import { toPackagesFolder } from "./find-package.ts";
import { readDependencies, runNpm } from "./npm.ts";

/** A package that `parley add` installed. */
export interface AddedPackage {
  readonly id: string;
  readonly name: string;
  /** Folder in which npm installs it. */
  readonly folder: string;
  /** Command that reinstalls it, for the folder of config.ini. */
  readonly command: string;
}

type PluginSummary = Pick<PluginStatus, "id" | "package" | "version" | "needed_by">;

/** Returns the added package of a plugin; undefined for a bundled or manually placed one. */
export function findAddedPackage(
  root: string,
  { id, package: name, version }: PluginSummary,
): AddedPackage | undefined {
  const folder = toPackagesFolder(root);
  const manifest = join(folder, "package.json");
  const wanted = !isFirstParty(name) && existsSync(manifest) ? readDependencies(manifest)[name] : undefined;
  if (wanted === undefined) return undefined;
  const file = /^file:(.*)$/.exec(wanted)?.[1];
  const isAddress = /[:/]/.test(wanted);
  const what = file !== undefined ? resolve(folder, file) : isAddress ? wanted : `${name}@${version || wanted}`;
  const started = readLaunch();
  const words = [...toLaunchCommand(root, started), "add", what];
  return { id, name, folder, command: words.map((word) => quoteArgument(word, started.platform)).join(" ") };
}

/** Finds an added package by plugin id or package name. Throws with the reason when it cannot be removed. */
export function findRemovablePackage(root: string, plugins: readonly PluginSummary[], wanted: string): AddedPackage {
  const one = plugins.find((plugin) => plugin.package === wanted) ?? plugins.find(({ id }) => id === wanted);
  if (!one) {
    const names = plugins.flatMap((plugin) => findAddedPackage(root, plugin)?.name ?? []);
    throw createError("not_found", sentence("remove_unknown", { name: wanted, added: names.join(", ") || "–" }));
  }
  const { id, package: name, needed_by: others = [] } = one;
  if (isFirstParty(name)) throw createError("conflict", sentence("remove_ours", { id, name }));
  const added = findAddedPackage(root, one);
  if (!added) throw createError("conflict", sentence("remove_other", { id, name }));
  if (others.length > 0 && !Object.hasOwn(BUNDLED_PLUGINS, id)) {
    throw createError("conflict", sentence("remove_needed", { id, others: others.join(", ") }));
  }
  return added;
}

/** Removes a plugin from config.ini; returns the file and a function that undoes the change. */
export async function disableInConfig({ root, flags, env }: ConfigurationSource, id: string) {
  const file = resolve(root, flags.config ?? env.SVC_CONFIG ?? "config.ini");
  const before = readFileSync(file, "utf8");
  const write = (text: string) =>
    writeFileAtomic(file, text).catch((error: unknown) => {
      const params = { file, reason: toErrorMessage(error) };
      throw createError("unavailable", sentence("remove_unwritten", params), { cause: error });
    });
  await write(deletePlugin(before, id));
  return { file, undo: () => write(before) };
}

/** Uninstalls a package without running any of its scripts. */
export async function uninstall(root: string, { id, name, folder }: AddedPackage): Promise<void> {
  const peers = folder === root ? [] : ["--legacy-peer-deps"];
  const { code, text } = await runNpm(folder, ["uninstall", "--ignore-scripts", ...peers, "--", name], "pipe").catch(
    (error: unknown) => ({ code: 1, text: AppError.is(error) ? error.message : String(error) }),
  );
  if (code === 0) return;
  const reason = verbatim(text.trim().split("\n").slice(0, 3).join(" "));
  throw createError("unavailable", sentence("remove_left", { id, name, folder, reason }));
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { AppError } from "@parley/core";
import type { Flags } from "@parley/host";
import {
  findPackage,
  importInstalledPlugin,
  insertListed,
  insertPlugin,
  type PluginEntry,
  readConfiguration,
  readDependencies,
  runNpm,
  toErrorMessage,
  toPackagesFolder,
} from "@parley/host/tooling";
import writeFileAtomic from "write-file-atomic";
import { checkConfiguration } from "../check/check-configuration.ts";

export interface AddOptions {
  readonly flags: Flags;
  readonly ownsProcess?: boolean;
  /** Argument for npm: a name with or without a version, a tarball or a folder. */
  readonly wanted: string;
  print(line: string): void;
}

/** Runs `parley add`: installs a package in the folder that the host searches first, and enables it: a plugin in `[plugins]`, a library in the setting of the plugin that uses it. Another package is not enabled. */
export async function addPackage({ flags, ownsProcess = false, wanted, print }: AddOptions): Promise<void> {
  const { root, plugins } = readConfiguration({ root: process.cwd(), flags, env: process.env });
  const folder = toPackagesFolder(root);
  const name = await install(wanted, folder, folder !== root);
  const file = resolve(flags.config ?? process.env.SVC_CONFIG ?? join(root, "config.ini"));
  const user = findUser(name, plugins, root);
  if (user) return enableLibrary(file, { name, root, ...user, print });
  const { id, version, plugin } = await importInstalledPlugin(name, root, { ownsProcess }).catch((error) => {
    throw new AppError("bad_request", `${toErrorMessage(error)}\nIt is installed in ${folder}, and not enabled.`, {
      cause: error,
    });
  });
  await enable(file, { id, name, entry: plugins.find((one) => one.id === id) });
  const { plugins: status } = await checkConfiguration({ flags, ownsProcess });
  const failure = status.find((one) => one.id === id)?.failure;
  if (failure) throw new AppError("bad_request", `plugin '${id}' is enabled in ${file}, but: ${failure}`);
  print(`${name} ${version} is installed in ${relative(process.cwd(), folder) || "this folder"}`);
  const settings = plugin.config ? `, whose settings go into a section [plugin.${id}]` : "";
  print(`and enabled in ${basename(file)} as plugin '${id}'${settings}`);
  print("Restart Parley, or press Reload in the console (Status). An adapter's channels: Console → Channels → Add");
}

interface LibraryUser {
  /** Id of the plugin that uses the library. */
  readonly id: string;
  /** Setting of that plugin that lists its libraries. */
  readonly setting: string;
}

/** Finds the plugin that uses a library by its name, such as `@chat-adapter/slack`; undefined for a plugin. */
function findUser(name: string, plugins: readonly PluginEntry[], root: string): LibraryUser | undefined {
  for (const { id, package: packageName, enabled } of plugins) {
    const packages = enabled ? findPackage(packageName, root)?.manifest?.parley?.packages : undefined;
    if (packages && name.startsWith(packages.prefix)) return { id, setting: packages.setting };
  }
  return undefined;
}

interface LibraryOptions extends LibraryUser {
  readonly name: string;
  readonly root: string;
  print(line: string): void;
}

async function enableLibrary(file: string, { name, root, id, setting, print }: LibraryOptions): Promise<void> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  await writeFileAtomic(file, insertListed(text, id, setting, name));
  const version = findPackage(name, root)?.version ?? "";
  print(`${name} ${version} is installed, and listed in ${basename(file)} under [plugin.${id}] ${setting}`);
  print("Restart Parley, or press Reload in the console (Status). Its channels: Console → Channels → Add");
}

interface EnableOptions {
  readonly id: string;
  readonly name: string;
  readonly entry: PluginEntry | undefined;
}

async function enable(file: string, { id, name, entry }: EnableOptions): Promise<void> {
  if (entry?.isNamed && entry.package === name && entry.enabled) return;
  if (entry) {
    const what = entry.isNamed ? `names '${id}' already` : `would put it in place of our own '${id}'`;
    throw new AppError("conflict", `${name} is installed, but ${file} ${what}: write ${id} = ${name} there yourself`);
  }
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  await writeFileAtomic(file, insertPlugin(text, id, name));
}

/** Installs a package; returns its name. */
async function install(wanted: string, folder: string, isClone: boolean): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  // Without a package.json, npm would install into a parent folder that has one.
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const before = readDependencies(manifest);
  const what = existsSync(wanted) && /[\\/]|\.tgz$/.test(wanted) ? resolve(wanted) : wanted;
  // A clone contains the contract itself; another copy would be useless.
  const peers = isClone ? ["--legacy-peer-deps"] : [];
  const { code } = await runNpm(folder, ["install", ...peers, "--", what], "inherit");
  if (code !== 0) throw new AppError("bad_request", "npm could not install it; nothing was enabled");
  const after = readDependencies(manifest);
  const isIt = (one: string) => resolve(folder, after[one]?.replace(/^file:/, "") ?? "") === what;
  const name = Object.keys(after).find((one) => after[one] !== before[one] || isIt(one)) ?? parsePackageName(wanted);
  if (after[name] === undefined) throw new AppError("bad_request", `npm did not say which package '${wanted}' is`);
  return name;
}

function parsePackageName(wanted: string): string {
  return /^@?[^@]+/.exec(wanted)?.[0] ?? wanted;
}

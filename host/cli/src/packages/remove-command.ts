import { basename } from "node:path";
import type { Flags } from "@parley/host";
import { disableInConfig, findRemovablePackage, readConfiguration, uninstall } from "@parley/host/tooling";
import { checkConfiguration } from "../check/check-configuration.ts";

export interface RemoveOptions {
  readonly flags: Flags;
  readonly ownsProcess?: boolean;
  /** Name of a package, or id of its plugin. */
  readonly wanted: string;
  print(line: string): void;
}

/** Runs `parley remove`, the opposite of `parley add`. The plugin's stored data stays. */
export async function removePackage({ flags, ownsProcess = false, wanted, print }: RemoveOptions): Promise<void> {
  const source = { root: process.cwd(), flags, env: process.env };
  const { root, data } = readConfiguration(source);
  const { plugins } = await checkConfiguration({ flags, ownsProcess });
  const added = findRemovablePackage(root, plugins, wanted);
  const { file } = await disableInConfig(source, added.id);
  await uninstall(root, added);
  print(`${added.name} is removed, and plugin '${added.id}' is no more in ${basename(file)}`);
  print(`what it stored stays in ${data}; its settings stay as a comment`);
  print(`it comes back with: ${added.command}`);
  print("Restart Parley, or press Reload in the console (Status).");
}

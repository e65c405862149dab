import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRevision, JsonFiles, notFound, parseEdited, type Resolver } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import type { HostOptions } from "../host-options.ts";
import { computeRevision, type PluginChanges, readChanges, readConfiguration } from "./configuration.ts";

/** Content of data/settings.json that concerns plugins. */
interface SettingsFile {
  readonly plugins?: PluginChanges;
}

/** Enables a plugin disabled in the console, from the next start or reload on. */
export async function enablePlugin(options: HostOptions, id: string): Promise<void> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const { data, plugins } = readConfiguration(source);
  if (!plugins.some((entry) => entry.id === id)) throw notFound("plugin", id);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, "settings.json");
  const changes = readChanges(file, []);
  const content = readContent(file);
  await writeSettings(file, { ...content, plugins: { ...changes, [id]: { ...changes[id], enabled: true } } });
}

export interface StoredChange {
  readonly id: string;
  /** Change expected in the file; `conflict` when the file contains another one by now. */
  readonly before: PluginChanges[string] | undefined;
  readonly after: PluginChanges[string] | undefined;
}

/** Stores the changes of one plugin; everything else in the file stays unchanged. */
export async function storeChange(from: Resolver, path: string, { id, before, after }: StoredChange): Promise<void> {
  const merge = (content: SettingsFile): SettingsFile => {
    const { [id]: now, ...rest } = content.plugins ?? {};
    checkRevision({ revision: computeRevision(now) }, computeRevision(before));
    return { ...content, plugins: { ...rest, ...(after && { [id]: after }) } };
  };
  const files = from.find(JsonFiles);
  if (files) await files.open({ path, empty: {}, parse: (json) => json as SettingsFile }).update(merge);
  else await writeSettings(path, merge(readContent(path)));
}

function readContent(path: string): SettingsFile {
  return existsSync(path) ? parseEdited(readFileSync(path), (json) => json as SettingsFile) : {};
}

async function writeSettings(path: string, content: SettingsFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** Removes settings that are null, so that they get their default again. */
export function removeNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

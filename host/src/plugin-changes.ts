import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JsonFiles, notFound, type Resolver } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import { type PluginChanges, readChanges, readConfiguration } from "./configuration.ts";
import type { HostOptions } from "./host-options.ts";

/** Switches on a plugin that was switched off in the console; what runs takes it up at the next start or reload. */
export async function enablePlugin(options: HostOptions, id: string): Promise<void> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const { data, plugins } = readConfiguration(source);
  if (!plugins.some((entry) => entry.id === id)) throw notFound("plugin", id);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, "settings.json");
  const changes = readChanges(file, []);
  await writeChanges(file, { ...changes, [id]: { ...changes[id], enabled: true } });
}

/** Writes the `plugins` key and leaves everything else in the file as it is. */
export async function storeChanges(from: Resolver, path: string, plugins: PluginChanges): Promise<void> {
  const files = from.find(JsonFiles);
  if (files) {
    const parse = (json: unknown) => json as Record<string, unknown>;
    await files.open({ path, empty: {}, parse }).update((content) => ({ ...content, plugins }));
    return;
  }
  await writeChanges(path, plugins);
}

async function writeChanges(path: string, plugins: PluginChanges): Promise<void> {
  const content = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  await writeFileAtomic(path, `${JSON.stringify({ ...content, plugins }, null, 2)}\n`);
}

/** A setting that is set to null takes its default again. */
export function withoutNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

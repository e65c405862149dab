import type { LoadedPlugin } from "./loading.ts";

interface LeftOpen {
  readonly value: unknown;
  readonly end: () => void | Promise<void>;
}

/** Values that plugins keep open across a reload, such as the sockets of people who are chatting. */
export interface AcrossReloads {
  /** What was left open under a name of a plugin, or what `make` makes. */
  take<T>(plugin: string, name: string, make: () => T): T;
  /** Leaves something to the next set where the plugin is the same in it, and ends it otherwise. */
  leave<T>(plugin: string, name: string, value: T, end: (value: T) => void | Promise<void>): Promise<void>;
  /** Runs the replacement of a set; then what nobody has taken is ended. */
  during(unchanged: ReadonlySet<string>, replace: () => Promise<void>): Promise<void>;
}

export function createAcrossReloads(): AcrossReloads {
  const left = new Map<string, LeftOpen>();
  let staying: ReadonlySet<string> = new Set();
  const endAll = async () => {
    const rest = [...left.values()];
    left.clear();
    await Promise.all(rest.map(({ end }) => end()));
  };
  return {
    take<T>(plugin: string, name: string, make: () => T) {
      const key = `${plugin} ${name}`;
      const found = left.get(key);
      left.delete(key);
      return found ? (found.value as T) : make();
    },
    async leave(plugin, name, value, end) {
      if (!staying.has(plugin)) return end(value);
      left.set(`${plugin} ${name}`, { value, end: () => end(value) });
    },
    async during(unchanged, replace) {
      staying = unchanged;
      try {
        await replace();
      } finally {
        staying = new Set();
        await endAll();
      }
    },
  };
}

/** The ids of plugins whose code and settings are the same in both sets, without those that were named. */
export function unchangedPlugins(
  before: readonly LoadedPlugin[],
  after: readonly LoadedPlugin[],
  named: readonly string[] = [],
): ReadonlySet<string> {
  const isSame = (old: LoadedPlugin) =>
    old.plugin !== undefined &&
    after.some(
      ({ entry, plugin }) =>
        entry.id === old.entry.id && plugin === old.plugin && entry.revision === old.entry.revision,
    );
  const ids = before.filter(isSame).map(({ entry }) => entry.id);
  return new Set(ids.filter((id) => !named.includes(id)));
}

import { type Declared, requiredBy } from "./declaring.ts";
import type { HostService } from "./generation.ts";
import type { LoadedPlugin } from "./loading.ts";

/** A part of what is loaded: everything is registered, only what is needed for some contributions starts. */
export interface Part {
  /** Ids of points: those who add to one of them start, and those they require. */
  readonly points: readonly string[];
  /** In place of what the plugins provide under the same keys; such a plugin does not start. */
  readonly standIns: readonly HostService[];
  /** Ids of services: plugins that provide one of them do not start either. */
  readonly unstarted: readonly string[];
}

export function withoutReplaced(declared: readonly Declared[], { standIns }: Part): readonly Declared[] {
  const replaced = new Set(standIns.map(([key]) => key.id));
  return declared.map((one) => ({ ...one, provides: one.provides.filter(({ key }) => !replaced.has(key.id)) }));
}

/** Those who add to the points of a part, and those they require; in the order given. */
export function neededFor(ordered: readonly Declared[], own: readonly Declared[], part: Part): readonly Declared[] {
  const points = new Set(part.points);
  const out = new Set([...part.standIns.map(([key]) => key.id), ...part.unstarted]);
  const left = new Set(own.filter(({ provides }) => provides.some(({ key }) => out.has(key.id))).map(pluginOf));
  const needed = new Set<Declared>();
  const add = (one: Declared) => {
    if (needed.has(one) || left.has(pluginOf(one))) return;
    needed.add(one);
    for (const { id } of requiredBy(one)) {
      const provider = ordered.find(({ provides }) => provides.some(({ key }) => key.id === id));
      if (provider) add(provider);
    }
  };
  for (const one of ordered) if (one.contributes.some(({ point }) => points.has(point.id))) add(one);
  return ordered.filter((one) => needed.has(one));
}

function pluginOf({ loaded }: Declared): LoadedPlugin {
  return loaded;
}

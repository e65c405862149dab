import type { Collection, LiveEvents, Models } from "@parley/core";

const KINDS: ReadonlySet<unknown> = new Set(["model", "ai_config"]);

export interface ModelChangesDeps {
  readonly events: Pick<LiveEvents, "subscribe">;
  /** Collections that other processes may change. */
  readonly collections: readonly Pick<Collection<{ readonly id: string }>, "onElsewhere">[];
}

/** Subscribes to changes by this process and by others. */
export function subscribeModelChanges({ events, collections }: ModelChangesDeps): Models["onChanged"] {
  return (onChange) => {
    const unsubscribes = [
      // The payload is built only when it is read.
      events.subscribe((event) => {
        if (event.type === "resource_changed" && KINDS.has(event.payload.kind)) onChange();
      }),
      ...collections.map((one) => one.onElsewhere(() => onChange())),
    ];
    return () => {
      for (const end of unsubscribes) end();
    };
  };
}

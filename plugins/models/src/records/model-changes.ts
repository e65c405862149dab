import type { Collection, LiveEvents, Models } from "@parley/core";

const KINDS: ReadonlySet<unknown> = new Set(["model", "ai_config"]);

export interface ModelChangesDeps {
  readonly events: Pick<LiveEvents, "subscribe">;
  /** Collections updated by changes of other processes. */
  readonly collections: readonly Pick<Collection<{ readonly id: string }>, "onElsewhere">[];
}

/** Changes of this process and of the others. */
export function subscribeModelChanges({ events, collections }: ModelChangesDeps): Models["onChanged"] {
  return (onChange) => {
    const unsubscribes = [
      // The payload is built lazily.
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

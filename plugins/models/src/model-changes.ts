import type { Collection, LiveEvents, Models } from "@parley/core";

const KINDS: ReadonlySet<unknown> = new Set(["model", "ai_config"]);

export interface ModelChangesParts {
  readonly events: Pick<LiveEvents, "subscribe">;
  /** What other processes change is read into these. */
  readonly collections: readonly Pick<Collection<{ readonly id: string }>, "onElsewhere">[];
}

/** Changes of this process and of the others. */
export function followModelChanges({ events, collections }: ModelChangesParts): Models["onChanged"] {
  return (heard) => {
    const ends = [
      // What an event says is put together for who looks at it.
      events.subscribe((event) => {
        if (event.type === "resource_changed" && KINDS.has(event.payload.kind)) heard();
      }),
      ...collections.map((one) => one.onElsewhere(() => heard())),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
}

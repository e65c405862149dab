import type { Models } from "@parley/core";

const PURPOSES = ["vision", "image_generation"] as const;
type Purpose = (typeof PURPOSES)[number];

/** Purposes with a configured model, cached, since every turn needs them. */
export interface ModelPurposes {
  has(purpose: Purpose): boolean;
  /** Reads the configured models. */
  refresh(): Promise<void>;
}

export function createModelPurposes(models: () => Pick<Models, "listEnabled"> | undefined): ModelPurposes {
  const found = new Map<Purpose, boolean>();
  return {
    has: (purpose) => found.get(purpose) ?? false,
    async refresh() {
      for (const purpose of PURPOSES) {
        const those = (await models()?.listEnabled(purpose)) ?? [];
        found.set(purpose, those.length > 0);
      }
    },
  };
}

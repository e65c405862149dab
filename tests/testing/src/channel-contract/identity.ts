import type { ChannelLink } from "@parley/core";
import { expect } from "vitest";
import { chapter } from "./check.ts";

const IDEMPOTENCY_MODES = ["native_key", "natural", "reconcile", "none"];
const CAPABILITY_FLAGS = [
  "supports_stream",
  "supports_progress_updates",
  "supports_file_send",
  "supports_stop",
  "supports_tools",
];

export const identity = chapter("identity", {
  async "names its type and at least one transport, each in one word"({ given }) {
    expect(given.adapter.type).toMatch(/^[A-Za-z0-9_-]{1,32}(:[A-Za-z0-9_-]{1,32})?$/);
    expect(given.adapter.transports.length).toBeGreaterThan(0);
    for (const transport of given.adapter.transports) expect(transport).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
  },
  async "declares only known capabilities"({ given }) {
    for (const [flag, value] of Object.entries(given.adapter.capabilities)) {
      expect(CAPABILITY_FLAGS).toContain(flag);
      expect(typeof value).toBe("boolean");
    }
  },
  async "declares its idempotency mode"({ given }) {
    expect(IDEMPOTENCY_MODES).toContain(given.adapter.idempotency);
  },
  "declares the features that its link has, and no others": {
    skipped: ({ adapter }) => (adapter.features ? undefined : "the adapter does not say what it can do"),
    async run({ given, open }) {
      const declared = new Set<string>(given.adapter.features);
      for (const [feature, isThere] of Object.entries(readFeatures(await open())))
        expect(declared.has(feature), `the feature '${feature}'`).toBe(isThere);
    },
  },
  async "accepts its own settings and rejects unknown ones"({ given }) {
    expect(given.adapter.settings.validate(given.config).error).toBeUndefined();
    expect(given.adapter.settings.validate({ ...given.config, no_such_setting: 1 }).error).toBeDefined();
  },
  async "describes each of its settings"({ given }) {
    for (const [name, field] of listSettings(given.adapter.settings.describe() as DescribedSettings)) {
      expect(field.flags?.description ?? "", `the setting '${name}' has no description`).not.toBe("");
    }
  },
  async "names secrets by variable, and never accepts one as a value"({ given }) {
    for (const [name] of listSettings(given.adapter.settings.describe() as DescribedSettings)) {
      if (/(token|secret|password|api_key|private_key)$/i.test(name)) {
        throw new Error(`the setting '${name}' would hold a secret: name a variable in '${name}_env'`);
      }
    }
  },
  async "receives webhooks if that is its first transport"({ given, open }) {
    const link = await open();
    if (given.adapter.transports[0] === "webhook") expect(link.receive).toBeDefined();
  },
});

/** Returns the features that an open link shows by what it has. */
function readFeatures({ typing, recall, draft, elements = [] }: ChannelLink): Readonly<Record<string, boolean>> {
  return {
    typing: typing !== undefined,
    recall: recall !== undefined,
    streaming: draft !== undefined,
    buttons: elements.includes("buttons"),
    lists: elements.includes("select"),
    cards: elements.includes("card"),
  };
}

interface DescribedSettings {
  readonly keys?: Readonly<Record<string, { readonly flags?: { readonly description?: string } }>>;
}

function listSettings(description: DescribedSettings) {
  return Object.entries(description.keys ?? {});
}

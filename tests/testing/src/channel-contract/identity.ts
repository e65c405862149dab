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
  async "names its type and at least one transport, in a word"({ given }) {
    expect(given.adapter.type).toMatch(/^[A-Za-z0-9_-]{1,32}$/);
    expect(given.adapter.transports.length).toBeGreaterThan(0);
    for (const transport of given.adapter.transports) expect(transport).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
  },
  async "says only of known capabilities whether it has them"({ given }) {
    for (const [flag, value] of Object.entries(given.adapter.capabilities)) {
      expect(CAPABILITY_FLAGS).toContain(flag);
      expect(typeof value).toBe("boolean");
    }
  },
  async "says why a repeat is safe, or that it is not"({ given }) {
    expect(IDEMPOTENCY_MODES).toContain(given.adapter.idempotency);
  },
  async "takes its own settings and refuses those it does not know"({ given }) {
    expect(given.adapter.settings.validate(given.config).error).toBeUndefined();
    expect(given.adapter.settings.validate({ ...given.config, no_such_setting: 1 }).error).toBeDefined();
  },
  async "explains each of its settings"({ given }) {
    for (const [name, field] of listSettings(given.adapter.settings.describe() as DescribedSettings)) {
      expect(field.flags?.description ?? "", `the setting '${name}' has no description`).not.toBe("");
    }
  },
  async "names secrets, and never takes one"({ given }) {
    for (const [name] of listSettings(given.adapter.settings.describe() as DescribedSettings)) {
      if (/(token|secret|password|api_key|private_key)$/i.test(name)) {
        throw new Error(`the setting '${name}' would hold a secret: name a variable in '${name}_env'`);
      }
    }
  },
  async "has a webhook exactly where the platform delivers by one"({ given, open }) {
    const link = await open();
    if (given.adapter.transports[0] === "webhook") expect(link.receive).toBeDefined();
  },
});

interface DescribedSettings {
  readonly keys?: Readonly<Record<string, { readonly flags?: { readonly description?: string } }>>;
}

function listSettings(description: DescribedSettings) {
  return Object.entries(description.keys ?? {});
}

import Joi from "@hapi/joi";
import type { TransferItem, TransferSection } from "@parley/core";
import { isObject } from "@parley/core/json";
import { findVariables, planItems } from "@parley/core/transfer";
import { extractSecrets, HOST_KEY, maskSettings, mergeIncomingSettings } from "../settings/sealed-settings.ts";
import type { EditableSettings } from "../settings/settings.ts";
import {
  type Document,
  fromLeaves,
  getValue,
  isEqualJson,
  type Leaf,
  listLeaves,
} from "../settings/settings-document.ts";

/** Creates the section of user settings, without defaults and values from the environment. */
export function createSettingsSection(settings: EditableSettings): TransferSection {
  // A null stands for a setting without a value.
  const listStoredLeaves = (document: Document) => listLeaves(document).filter(({ value }) => value !== null);
  const toRow = (leaf: Leaf) => ({ id: leaf.path.join("."), name: leaf.path.join("."), value: leaf.value });
  const section: TransferSection<Document> = {
    id: "settings",
    title: { en: "Settings", zh: "设置" },
    schema: Joi.object().unknown(),
    export: async () => maskSettings(settings.getStored()),
    secrets: async () => extractSecrets(settings.getStored()),
    async plan(given, { mode, secrets }) {
      const part = pickOwnSettings(settings, mergeIncomingSettings(given, secrets, settings.getStored()));
      const there = new Map(listStoredLeaves(settings.getStored()).map((leaf) => [toRow(leaf).id, toRow(leaf)]));
      const incoming = listStoredLeaves(part).map(toRow);
      const planned = planItems(
        there,
        incoming.map((row) => [row, row]),
        { mode },
      );
      const inForce = settings.getView();
      const shown = listStoredLeaves(maskSettings(part)).map(toRow);
      const items = planned.map((item, index) =>
        item.action === "create" && isEqualJson(getValue(inForce, item.id), shown[index]?.value)
          ? { ...item, action: "skip" as const }
          : item,
      );
      settings.check(toPatch(part, items));
      return { items, variables: findVariables(part) };
    },
    async apply(given, { items }, { secrets }) {
      const part = pickOwnSettings(settings, mergeIncomingSettings(given, secrets, settings.getStored()));
      const patch = toPatch(part, items);
      const before = settings.getStored();
      const back = fromLeaves(listLeaves(patch).map(({ path }) => toRestoreLeaf(before, path)));
      const change = async (to: Document) => {
        if (Object.keys(to).length > 0) await settings.change(to);
      };
      return {
        async run() {
          await change(patch);
          return [];
        },
        undo: () => change(back),
      };
    },
  };
  return section as unknown as TransferSection;
}

/** Returns the known settings of a package; the host's part is included, so that it is rejected rather than ignored. */
function pickOwnSettings(settings: EditableSettings, incoming: Document): Document {
  return { ...settings.pickKnown(incoming), ...(HOST_KEY in incoming && { [HOST_KEY]: incoming[HOST_KEY] }) };
}

/** Returns the patch that restores a path: null at the first missing step where there was no value. */
function toRestoreLeaf(document: Document, path: readonly string[]): Leaf {
  const missing = path.findIndex((_, index) => getPathValue(document, path.slice(0, index + 1)) === undefined);
  if (missing === -1) return { path, value: getPathValue(document, path) };
  return { path: path.slice(0, missing + 1), value: null };
}

function getPathValue(document: Document, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), document);
}

function toPatch(part: Document, items: readonly TransferItem[]): Document {
  const wanted = new Set(items.filter(({ action }) => action !== "skip").map(({ id }) => id));
  return fromLeaves(listLeaves(part).filter(({ path }) => wanted.has(path.join("."))));
}

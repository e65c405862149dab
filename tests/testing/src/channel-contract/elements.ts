import { type ElementType, formatPress, type MessageElement } from "@parley/core";
import { expect } from "vitest";
import { chapter } from "./check.ts";
import type { Scene } from "./scene.ts";

const neverAborted = new AbortController().signal;
const ELEMENT = "el_00000000000000000001";
const LABELS = { first: "Tea", second: "Coffee" } as const;
const BUTTONS: MessageElement = {
  type: "buttons",
  id: ELEMENT,
  items: [
    { id: "tea", label: LABELS.first },
    { id: "coffee", label: LABELS.second, style: "primary" },
  ],
};
const FEATURES: Readonly<Record<ElementType, string>> = { buttons: "buttons", select: "lists", card: "cards" };

async function needsButtons({ look }: Scene): Promise<string | undefined> {
  const { link } = await look();
  return link.elements?.includes("buttons") ? undefined : "the channel shows no buttons";
}

/** Connects, and sends a question with two buttons. */
async function ask({ connected, message }: Scene) {
  const { link, platform } = await connected();
  await link.send(message(platform.conversation, "Tea or coffee?", { elements: [BUTTONS] }), neverAborted);
  return { link, platform };
}

export const elements = chapter("elements", {
  "the elements of the link are the features of the type": async ({ given, look }) => {
    const { link } = await look();
    const { features } = given.adapter;
    if (!features) return "the type names no features";
    const named = Object.entries(FEATURES).flatMap(([type, feature]) =>
      features.includes(feature as never) ? type : [],
    );
    expect([...(link.elements ?? [])].toSorted()).toEqual(named.toSorted());
    return undefined;
  },
  "a press is handed over with its ids, once, and not as a message": {
    needs: ["press"],
    applies: needsButtons,
    async run(scene) {
      const { platform } = await ask(scene);
      await platform.press?.("1", LABELS.second);
      await expect.poll(() => scene.pressed.length).toBe(1);
      const [press] = scene.pressed;
      expect(press).toMatchObject({ kind: "action", press: { elementId: ELEMENT, itemId: "coffee" } });
      expect(press?.conversation.id).toBe(platform.conversation);
      expect(press?.sender).toMatchObject({ id: expect.stringMatching(/./), isAdmin: false });
      expect(scene.accepted.map(({ text }) => text)).not.toContain(formatPress(ELEMENT, "coffee"));
      expect(scene.accepted).toEqual([]);
    },
  },
  "a repeated press has the same key, another one a different key": {
    needs: ["press"],
    applies: needsButtons,
    async run(scene) {
      const { platform } = await ask(scene);
      for (const [id, label] of [
        ["1", LABELS.first],
        ["1", LABELS.first],
        ["2", LABELS.second],
      ] as const)
        await platform.press?.(id, label);
      await expect.poll(() => scene.pressed.length).toBe(3);
      const [first, again, other] = scene.pressed.map(({ dedupeKey }) => dedupeKey);
      expect(first, "the key of a press").toBeDefined();
      expect(again).toBe(first);
      expect(other).not.toBe(first);
    },
  },
  "a press without effect is acknowledged": {
    needs: ["press"],
    applies: needsButtons,
    async run(scene) {
      const { platform } = await ask(scene);
      scene.refusal = "this was already answered";
      await platform.press?.("1", LABELS.first);
      expect(scene.pressed).toHaveLength(1);
      expect(scene.accepted).toEqual([]);
    },
  },
});

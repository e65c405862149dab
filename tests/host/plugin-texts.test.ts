import type { PluginStatus } from "@parley/core";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

test("every package of ours says what it is and what it is for, in both languages", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const { items } = await api.get<{ items: readonly PluginStatus[] }>("/api/plugins");
  const ours = items.filter(({ package: name }) => name.startsWith("@parley/"));
  expect(ours.length).toBeGreaterThan(25);
  const isChinese = (text: string) => /\p{sc=Han}/u.test(text);
  const lacking = ours.filter(
    ({ id, title, about }) =>
      title.en === id ||
      about.en === "" ||
      !isChinese(about.zh) ||
      (title.zh === title.en && !title.en.endsWith("channel")),
  );
  expect(lacking.map(({ id, title, about }) => [id, title, about])).toEqual([]);
});

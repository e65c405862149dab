import type { Session } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, startConsole } from "./console.ts";

describe.skipIf(!canBrowse)("several characters in a conversation", () => {
  let models: ModelServer;
  let pages: Console;
  let id: string;

  beforeAll(async () => {
    models = await startModelServer();
    pages = await startConsole();
    const { api } = pages;
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    await api.post(`/api/ai-models/${(await api.post<{ id: string }>("/api/ai-models", model)).id}/apply`, {});
    const create = async (name: string) => (await api.post<{ id: string }>("/api/characters", { name })).id;
    const [anna] = [await create("Anna"), await create("Ben")];
    ({ id } = await api.post<Session>("/api/sessions", { name: "Tea", character_id: anna }));
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  test("are added in its settings, stand in its head, and answer under their names", async () => {
    const page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("session-menu").click();
    await page.getByTestId("session-setup").click();
    await page.getByTestId("add-character").selectOption({ label: "Ben" });
    await page.getByTestId("save-setup").click();
    await page.getByTestId("cast").getByText("Anna, Ben").waitFor();
    await page.getByTestId("composer").fill("Ben and Anna: who are you?");
    await page.getByTestId("composer").press("Enter");
    // Each name stands over the answer of its character.
    const names = page.locator("b");
    await names.getByText("Ben", { exact: true }).waitFor();
    await names.getByText("Anna", { exact: true }).waitFor();
    await page.close();
  });

  test("are named in the head on a phone, with those who are not present in its hint", async () => {
    const { character_ids = [] } = await pages.api.get<Session>(`/api/sessions/${id}`);
    await pages.api.put(`/api/sessions/${id}/scene`, { present: character_ids.slice(1) });
    const phone = await pages.visit(`/sessions/${id}`, PHONE);
    const cast = phone.getByTestId("cast");
    await cast.getByText("Ben", { exact: true }).waitFor();
    expect(await cast.getAttribute("title")).toBe("Ben · 不在场：Anna");
    await expectNoOverflow(phone, "phone-cast");
    await phone.close();
  });
});

import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { eventually } from "../harness/eventually.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, startConsole } from "./console.ts";

const REST = `${"It was a very long story, ".repeat(12)}and then it ended.`;
const SESSION = "fake:private:7";

describe.skipIf(!canBrowse)("an answer in sentences", () => {
  const fake = createFakeChannel();
  let models: ModelServer;
  let pages: Console;

  beforeAll(async () => {
    models = await startModelServer();
    pages = await startConsole({ plugins: [fake.plugin], config: "[plugin.gateway]\nslow_reply =\n" });
    const { api } = pages;
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id } = await api.post<{ id: string }>("/api/ai-models", model);
    await api.post(`/api/ai-models/${id}/apply`, {});
    const channel = { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" };
    await api.post("/api/channels", { ...channel, config: { reply_style: "sentences", burst: "off" } });
    const write = (text: string) =>
      fake.say("7", text, { sessionId: SESSION, conversation: { id: "7", isGroup: false } });
    models.script.push({ kind: "text", text: `Yes. ${REST}` }, { kind: "text", text: "As you like." });
    await write("tell me a story");
    await eventually(() => expect(fake.sent).toHaveLength(1));
    await write("never mind");
    await eventually(() => expect(fake.sent).toHaveLength(2));
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  test("shows what was not said one click away", async () => {
    const page = await pages.visit(`/sessions/${encodeURIComponent(SESSION)}`);
    await page.getByText("Yes.", { exact: true }).waitFor();
    expect(await page.getByText("It was a very long story").isVisible()).toBe(false);
    await page.getByText("Not said, because it was interrupted").click();
    await page.getByText("It was a very long story").waitFor();
    await page.close();
    const phone = await pages.visit(`/sessions/${encodeURIComponent(SESSION)}`, PHONE);
    await phone.getByText("未说出：被打断").click();
    await expectNoOverflow(phone, "phone-unsaid");
    await phone.close();
  });
});

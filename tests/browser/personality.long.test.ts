import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const LONG_NAME = "Captain Ash of the long and winding name that hardly anybody says";

interface Personality {
  readonly name: string;
  readonly description: string;
  readonly scenario: string;
  readonly preset_id: string | null;
}

describe.runIf(canBrowse)("the page of the current personality", () => {
  let pages: Console;
  let preset: string;
  beforeAll(async () => {
    pages = await startConsole();
    const card = {
      name: "Captain Ash",
      description: "Has sailed every sea there is.",
      personality: "Gruff, fair, fond of her crew.",
    };
    preset = (await pages.api.post<{ id: string }>("/api/personality/custom-presets", card)).id;
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  const current = () => pages.api.get<Personality>("/api/personality");

  test("shows its preset, switches to another one, and is edited with its prompt in sight", async () => {
    const page = await pages.visit("/personality");
    const inForce = page.getByTestId("current-personality");
    await inForce.getByText("Based on the preset").waitFor();
    await expectNoOverflow(page, "personality-light");
    await page.getByTestId("preset").selectOption({ label: "Captain Ash" });
    await page.getByTestId("use-preset").click();
    await page.getByRole("dialog").getByRole("button", { name: "Use this one" }).click();
    await inForce.getByText("Based on the preset Captain Ash.").waitFor();
    await page.getByTestId("prompt-preview").getByText("Has sailed every sea").waitFor();
    await page.getByLabel("Scenario").fill("The ship lies in port.");
    await page.getByTestId("prompt-preview").getByText("The ship lies in port.").waitFor();
    await page.getByTestId("save-card").click();
    await expect.poll(async () => (await current()).scenario, SHORT_TIMEOUT).toBe("The ship lies in port.");
    expect(await current()).toMatchObject({ name: "Captain Ash" });
    await page.reload();
    await expect.poll(() => page.getByLabel("Scenario").inputValue(), SHORT_TIMEOUT).toBe("The ship lies in port.");
    await page.close();
  });

  test("fits a phone, in Chinese and in the dark", async () => {
    await pages.api.put("/api/personality", { preset_id: preset });
    await pages.api.put("/api/personality", { name: LONG_NAME });
    const page = await pages.visit("/personality", PHONE);
    await page.getByRole("heading", { name: "人设", level: 1 }).waitFor();
    await page.getByText("来自预设“Captain Ash”。").waitFor();
    await expectNoOverflow(page, "personality-phone");
    const placeOf = (testId: string) => page.getByTestId(testId).boundingBox();
    const inForce = await placeOf("current-personality");
    expect((inForce?.x ?? 0) + (inForce?.width ?? Number.NaN)).toBeLessThanOrEqual(390);
    // The save button stays visible in a long form.
    const save = await placeOf("save-card");
    expect((save?.y ?? 0) + (save?.height ?? Number.NaN)).toBeLessThanOrEqual(800);
    const dark = await pages.visit("/personality", { colorScheme: "dark" });
    await dark.getByTestId("prompt-preview").getByText("Has sailed").waitFor();
    await expectNoOverflow(dark, "personality-dark");
    expect(pages.problems).toEqual([]);
    await page.close();
    await dark.close();
  });
});

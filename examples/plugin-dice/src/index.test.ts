import { ChatCommands, inLanguage, Tools } from "@parley/core";
import { startPlugins } from "@parley/testing";
import { expect, test } from "vitest";
import dice from "./index.ts";

async function started(config = {}) {
  const plugins = await startPlugins([dice], { config: { dice: config } });
  const [command] = plugins.all(ChatCommands);
  const [roll] = plugins.all(Tools);
  if (!command || !roll) throw new Error("the plugin adds a command and a tool");
  // The command uses neither the turn nor the context.
  return { say: async (rest: string) => inLanguage(await command.run(rest, {} as never, {} as never), "en"), roll };
}

test("two dice show two numbers and their sum", async () => {
  const { say } = await started();
  const [, one, other, sum] = /^🎲 ([1-6]) \+ ([1-6]) = (\d+)$/.exec(await say("2d6")) ?? [];
  expect(Number(sum)).toBe(Number(one) + Number(other));
});

test("without arguments one die of six sides is rolled", async () => {
  const { say } = await started();
  expect(await say("")).toMatch(/^🎲 [1-6]$/);
});

test.each(["six", "2x6", "1d1", "0d6", "9999d6"])("%s is answered with an explanation, not an error", async (rest) => {
  const { say } = await started();
  await expect(say(rest)).rejects.toMatchObject({ code: "bad_request" });
});

test("a model gets numbers it can use", async () => {
  const { roll } = await started();
  const { value } = roll.args.validate({ dice: 3, sides: 20 });
  const answer = (await roll.run(value, {} as never)) as { readonly shown: readonly number[]; readonly sum: number };
  expect(answer.shown).toHaveLength(3);
  expect(answer.sum).toBe(answer.shown.reduce((sum, eyes) => sum + eyes, 0));
});

test("an operator limits the number of dice", async () => {
  const { say } = await started({ max_dice: 2 });
  await expect(say("3d6")).rejects.toThrow("between 1 and 2");
});

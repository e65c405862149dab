import { ChatCommands, Tools } from "@parley/core";
import { startPlugins, testContext, testTurn } from "@parley/testing";
import { expect, test } from "vitest";
import acme from "./index.ts";

test("people are greeted with the operator's text", async () => {
  await using plugins = await startPlugins([acme], { config: { acme: { greeting: "Good day" } } });
  const [command] = plugins.all(ChatCommands);
  expect(await command?.run("Ann", testTurn(), testContext())).toBe("Good day, Ann!");
});

test("a model gets the same greeting, for a required name", async () => {
  await using plugins = await startPlugins([acme]);
  const [greet] = plugins.all(Tools);
  expect(greet?.args.validate({}).error?.message).toContain("required");
  expect(await greet?.run({ name: "Bob" }, {} as never)).toEqual({ text: "Hello, Bob!" });
});

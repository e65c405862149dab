import { ChatCommands, type Gateway, TurnStages } from "@parley/core";
import { describe, expect, it } from "vitest";
import { createTestTurn, startChat } from "../test-setup.ts";
import { createStopCommand } from "./built-in-commands.ts";
import { findCommand } from "./command-stage.ts";

const command = (name: string, aliases: readonly string[] = []) => ({
  name,
  aliases,
  usage: name,
  help: "",
  category: "test",
  adminOnly: false,
  run: async () => name,
});

describe("command parsing", () => {
  const commands = [command("/msg"), command("/msg add"), command("/help", ["/?"])];
  it.each([
    ["/msg", "/msg", ""],
    ["/msg add  a word ", "/msg add", "a word"],
    ["/msg adds", "/msg", "adds"],
    ["/?", "/help", ""],
    ["/message", undefined, undefined],
    ["msg", undefined, undefined],
    ["/HELP", undefined, undefined],
  ])("of %j results in %j", (text, name, rest) => {
    const found = findCommand(text, commands);
    expect([found?.command.name, found?.rest]).toEqual([name, rest]);
  });
});

describe("commands", () => {
  it("answer without asking the model", async () => {
    await using chat = await startChat();
    const { replies } = await chat.say("/help");
    expect(replies).toMatchObject([{ kind: "command", text: expect.stringContaining("/model [name | default]") }]);
    expect(chat.calls).toEqual([]);
  });

  it("that are unknown go to the model as text", async () => {
    await using chat = await startChat({ steps: [{ say: "what?" }] });
    expect((await chat.say("/dance now")).replies[0]?.text).toBe("what?");
  });

  it("of administrators are rejected to others and hidden from them", async () => {
    await using chat = await startChat();
    const { inbound } = createTestTurn("");
    const asGuest = { inbound: { ...inbound, sender: { ...inbound.sender, isAdmin: false } } };
    expect((await chat.say("/model Big", asGuest)).replies[0]?.text).toBe("/model is for administrators only");
    expect((await chat.say("/help", asGuest)).replies[0]?.text).not.toContain("/model");
  });

  it.each([
    ["/help model", /Lists the models/],
    ["/help nothing", /no command \/nothing/],
    ["/new Trip", /New conversation: Trip \(sess_new\)/],
    ["/model", /In use: Scripted\n- Big \(big-1\)/],
    ["/model Small", /no chat model 'Small'/],
  ])("%s answers", async (text, answer) => {
    await using chat = await startChat();
    expect((await chat.say(text)).replies[0]?.text).toMatch(answer);
  });

  it("choose the session's model", async () => {
    await using chat = await startChat();
    await chat.say("/model Big");
    await chat.say("/model default");
    expect(chat.chosenModels).toEqual(["model_big", null]);
  });

  it("stop the running turn, not their own", async () => {
    await using chat = await startChat();
    const stopped: unknown[] = [];
    const gateway = (traceId: string) =>
      ({
        running: () => ({ traceId }),
        stop: async (...args: unknown[]) => ({ stopped: stopped.push(args) > 0, trace_ids: [] }),
      }) as unknown as Gateway;
    const turn = createTestTurn("/stop");
    const run = (traceId: string) => createStopCommand(() => gateway(traceId)).run("", turn, {} as never);
    expect([await run("gw_other"), await run(turn.traceId)]).toMatchObject([
      { en: "Stopped." },
      { en: "Nothing is running." },
    ]);
    expect(stopped).toEqual([["sess_1", "gw_other"]]);
    expect(chat.all(ChatCommands).find(({ name }) => name === "/stop")?.isImmediate).toBe(true);
    expect(
      chat
        .all(TurnStages)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["chat.answer", "chat.collect-prompt", "chat.commands", "chat.unreadable"]);
  });
});

import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const read = (mcp_client: Readonly<Record<string, string>>) =>
  readSettings({ section: (name) => (name === "mcp_client" ? mcp_client : {}) });

describe("the command of a server", () => {
  it("is a package run by one of two runners, unless the operator configures otherwise", () => {
    expect(read({})).toMatchObject({ allowed_commands: ["npx", "uvx"], command_lines: [], pass_env: [] });
    expect(read({ allowed_commands: "" })).toMatchObject({ allowed_commands: [] });
  });

  it("is a named command line, with quotes around words that contain spaces", () => {
    const { command_lines } = read({
      "server.files": `node "/opt/my tools/server.js" --root='/srv/all of it' ""`,
      "server.time": "python3 -m mcp_time",
    });
    expect(command_lines).toEqual([
      { name: "files", words: ["node", "/opt/my tools/server.js", "--root=/srv/all of it", ""] },
      { name: "time", words: ["python3", "-m", "mcp_time"] },
    ]);
  });

  it.each([
    [{ allowed_commands: "npx, node" }, /'node' runs no packages; name its command line/],
    [{ allowed_comands: "npx" }, /'allowed_comands' is not known/],
    [{ "server.x": " " }, /a command is required/],
    [{ pass_env: "SVC_SECRET_KEY" }, /'SVC_SECRET_KEY' cannot be passed on/],
  ])("cannot be %j", (section, reason) => {
    expect(() => read(section as Readonly<Record<string, string>>)).toThrow(reason);
  });
});

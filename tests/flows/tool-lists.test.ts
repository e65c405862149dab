import type { ObjectSchema } from "@hapi/joi";
import { ToolGuard } from "@parley/core";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

/** Lists whose items may contain commas. */
const WITHOUT_COMMAS = ["run_skill_script.args"];

interface Described {
  readonly type?: string;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema?: Described }[];
  readonly keys?: Readonly<Record<string, Described>>;
}
const acceptsWords = ({ type, items = [], matches = [] }: Described): boolean =>
  (type === "array" && items.every((item) => item.type === "string")) ||
  matches.some(({ schema }) => schema !== undefined && acceptsWords(schema));

test("every list of words in a tool's arguments may be text with commas", async () => {
  await using parley = await startParley({ config: "[mcp]\nenabled = true\nadmin = true\n" });
  const lists: string[] = [];
  for (const { name, args } of parley.host.get(ToolGuard).known()) {
    for (const [key, described] of Object.entries((args.describe() as Described).keys ?? {})) {
      if (!acceptsWords(described) || WITHOUT_COMMAS.includes(`${name}.${key}`)) continue;
      lists.push(`${name}.${key}`);
      const list = (args as ObjectSchema).extract(key);
      expect(list.validate(" one, two ,, three "), `${name}.${key}`).toMatchObject({ value: ["one", "two", "three"] });
      expect(list.validate(["one", "two"]), `${name}.${key}`).toMatchObject({ value: ["one", "two"] });
    }
  }
  expect(lists).toContain("forget_memory.memory_ids");
});

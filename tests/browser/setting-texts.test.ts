import { PromptSources } from "@parley/core";
import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";

interface Schema {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly "x-parley"?: { readonly title?: object; readonly help?: object; readonly options?: object };
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Described {
  readonly name: string;
  readonly help: Readonly<Record<"en" | "zh", string>> | null;
}
interface Offered {
  readonly tools: readonly Described[];
  readonly resources: readonly Described[];
  readonly prompts: readonly (Described & { readonly arguments: readonly Described[] })[];
}
interface NamedChoice {
  readonly path: string;
  readonly values: readonly string[];
  readonly options: readonly string[];
}
interface Choice {
  readonly key: string;
  readonly schema: {
    readonly enum?: readonly string[];
    readonly "x-parley"?: { readonly options?: Readonly<Record<string, object>> };
  };
}
interface Listed {
  readonly items: readonly { readonly id: string; readonly config_schema: Schema | null }[];
}

test("settings of our packages have Chinese texts too", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  for (const preset of ["imB", "imC", "generic_webhook"]) await api.post(`/api/channels/presets/${preset}`, {});
  const lists = await Promise.all([api.get<Listed>("/api/channels"), api.get<Listed>("/api/plugins")]);
  const listed = lists.flatMap(({ items }) => items);
  const fields = listed.flatMap(({ id, config_schema }) => (config_schema ? listFields(config_schema, id) : []));
  expect(fields.length).toBeGreaterThan(80);
  const inBoth = { en: expect.stringMatching(/./), zh: expect.stringMatching(/./) };
  for (const { path, field } of fields) {
    const { title, help } = field["x-parley"] ?? {};
    expect({ path, title }).toEqual({ path, title: inBoth });
    if (field.description !== undefined) expect({ path, help }).toEqual({ path, help: inBoth });
  }
  const choices = listed.flatMap(({ id, config_schema }) => (config_schema ? listChoices(config_schema, id) : []));
  expect(choices.map(({ path }) => path)).toEqual(expect.arrayContaining(["imA.mode", "webhook.auth.type"]));
  for (const { options, values } of choices) expect(options).toEqual(values);
  // A third-party package provides both languages.
  const dice = listed.find(({ id }) => id === "dice")?.config_schema?.properties?.max_dice;
  expect(dice?.["x-parley"]?.help).toEqual({
    en: expect.stringMatching("How many"),
    zh: expect.stringMatching("骰子"),
  });
});

test("choices of a setting have names in both languages", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const { _meta } = await api.get<{ readonly _meta: { readonly definitions: readonly Choice[] } }>("/api/settings");
  const choices = _meta.definitions.filter(({ schema }) => schema.enum);
  expect(choices.map(({ key }) => key)).toContain("tools.search");
  for (const { schema } of choices) {
    const names = Object.entries(schema["x-parley"]?.options ?? {});
    expect(names.map(([value]) => value)).toEqual(schema.enum);
    for (const [, name] of names)
      expect(name).toEqual({ en: expect.stringMatching(/./), zh: expect.stringMatching(/./) });
  }
});

test("prompt parts of our packages have names in both languages", async () => {
  await using parley = await startParley();
  const unnamed = parley.host.all(PromptSources).filter(({ title }) => !title || title.en === title.zh);
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

test("tools, resources and prompts of our packages have descriptions for people in both languages", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  const { tools, resources, prompts } = await api.get<Offered>("/api/mcp-service");
  const { items } = await api.get<{ readonly items: readonly Described[] }>("/api/tools?limit=500");
  const offers = [...tools, ...items, ...resources, ...prompts, ...prompts.flatMap(({ arguments: args }) => args)];
  expect(offers.length).toBeGreaterThan(90);
  const untranslated = offers.filter(({ help }) => !help?.en || !help.zh || help.en === help.zh);
  expect(untranslated.map(({ name }) => name)).toEqual([]);
});

function listChoices(schema: Schema, path: string): readonly NamedChoice[] {
  const { enum: values, properties = {} } = schema;
  const within = Object.entries(properties).flatMap(([key, field]) => listChoices(field, `${path}.${key}`));
  return values ? [{ path, values, options: Object.keys(schema["x-parley"]?.options ?? {}) }, ...within] : within;
}

function listFields(
  { properties = {} }: Schema,
  path: string,
): readonly { readonly path: string; readonly field: Schema }[] {
  return Object.entries(properties).flatMap(([key, field]) => [
    { path: `${path}.${key}`, field },
    ...listFields(field, `${path}.${key}`),
  ]);
}

import { expect, test } from "vitest";
import { settingText } from "../../adapters/web/console/src/shared/forms/setting-texts.ts";
import { startParley } from "../harness/parley.ts";

interface Schema {
  readonly description?: string;
  readonly "x-parley"?: { readonly help: object };
  readonly properties?: Readonly<Record<string, Schema>>;
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

test("what our packages say about their settings is there in Chinese too", async () => {
  await using parley = await startParley();
  const api = await parley.signIn();
  for (const preset of ["imB", "imC", "generic_webhook"]) await api.post(`/api/channels/presets/${preset}`, {});
  const lists = await Promise.all([api.get<Listed>("/api/channels"), api.get<Listed>("/api/plugins")]);
  const listed = lists.flatMap(({ items }) => items);
  const sentences = listed.flatMap(({ config_schema }) => (config_schema ? sentencesOf(config_schema) : []));
  expect(sentences.length).toBeGreaterThan(30);
  expect(sentences.filter((one) => settingText(one, "zh-CN") === one)).toEqual([]);
  // A package of strangers brings both languages along.
  const dice = listed.find(({ id }) => id === "dice")?.config_schema?.properties?.max_dice;
  expect(dice?.["x-parley"]?.help).toEqual({
    en: expect.stringMatching("How many"),
    zh: expect.stringMatching("骰子"),
  });
});

test("what one can choose from in a setting has a name in both languages", async () => {
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

test("what nobody has translated stays as it is, and English is English", () => {
  expect(settingText("What the parrot says", "zh-CN")).toBe("What the parrot says");
  expect(settingText("The bot's app id", "en")).toBe("The bot's app id");
});

function sentencesOf({ description, properties = {} }: Schema): readonly string[] {
  return [...(description ? [description] : []), ...Object.values(properties).flatMap(sentencesOf)];
}

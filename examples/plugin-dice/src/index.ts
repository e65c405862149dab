import { randomInt } from "node:crypto";
import { ChatCommands, definePlugin, defineTexts, Joi, Tools, tool, withLabel } from "@parley/core";

interface DiceConfig {
  readonly max_dice: number;
}

interface DiceThrow {
  readonly dice: number;
  readonly sides: number;
}

/** Error messages, which the service shows in the reader's language. */
const texts = defineTexts("dice", {
  en: { unreadable: "write dice like 2d6", too_many: "dice: between 1 and {most}" },
  zh: { unreadable: "请按 2d6 的格式书写", too_many: "骰子数须为 1 到 {most}" },
});

/** Provides dice for people (`/roll 2d6`) and for models (the tool `roll_dice`). */
export default definePlugin<DiceConfig>({
  id: "dice",
  config: Joi.object<DiceConfig, true>({
    max_dice: withLabel(Joi.number().integer().min(1).max(1000).default(100), {
      title: { en: "Dice", zh: "骰子数" },
      help: { en: "How many dice one throw may have", zh: "一次最多可掷多少颗骰子" },
    }),
  }),
  register({ config, contribute }) {
    contribute(ChatCommands, () => ({
      name: "/roll",
      usage: { en: "/roll [<dice>d<sides>]", zh: "/roll [<骰子数>d<面数>]" },
      help: { en: "Throws dice: /roll 2d6", zh: "掷骰子：/roll 2d6" },
      category: "play",
      adminOnly: false,
      run: async (rest) => formatResult(rollDice(parseThrow(rest || "1d6"), config)),
    }));
    contribute(Tools, () =>
      tool<DiceThrow>({
        name: "roll_dice",
        purpose: "Throws dice and returns what each one shows.",
        help: { en: "Throws dice and shows each one.", zh: "掷骰子，给出每颗的点数。" },
        args: Joi.object<DiceThrow, true>({
          dice: Joi.number().integer().min(1).default(1),
          sides: Joi.number().integer().min(2).max(1000).default(6),
        }),
        scope: "gateway.read",
        risk: "read",
        audience: ["ai", "mcp"],
        run: async (asked) => rollDice(asked, config),
      }),
    );
  },
});

function parseThrow(text: string): DiceThrow {
  const [, dice = "1", sides = ""] = /^(\d{1,4})?d(\d{1,4})$/i.exec(text) ?? [];
  if (Number(sides) < 2) throw texts.error("bad_request", "unreadable");
  return { dice: Number(dice), sides: Number(sides) };
}

function rollDice({ dice, sides }: DiceThrow, { max_dice }: DiceConfig) {
  if (dice < 1 || dice > max_dice) throw texts.error("bad_request", "too_many", { most: max_dice });
  const shown = Array.from({ length: dice }, () => randomInt(1, sides + 1));
  return { shown, sum: shown.reduce((sum, eyes) => sum + eyes, 0) };
}

function formatResult({ shown, sum }: { readonly shown: readonly number[]; readonly sum: number }): string {
  return shown.length === 1 ? `🎲 ${sum}` : `🎲 ${shown.join(" + ")} = ${sum}`;
}

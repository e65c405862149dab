import {
  type ChannelConfig,
  type Characters,
  type Check,
  type Finding,
  inBothLanguages,
  type Localized,
  type Models,
} from "@parley/core";
import type { ChannelService } from "./channels.ts";
import { BUILT_IN } from "./config/schema.ts";

export interface ChannelsCheckDeps {
  readonly channels: () => Pick<ChannelService, "list" | "status">;
  readonly models: () => Pick<Models, "listEnabled"> | undefined;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
}

/** Checks that enabled channels are connected and that their models and characters exist. */
export function channelsCheck(deps: ChannelsCheckDeps): Check {
  return {
    id: "channels",
    async run() {
      const enabled = deps
        .channels()
        .list()
        .filter((row) => row.enabled);
      return [...enabled.flatMap((row) => findConnectionProblem(deps, row)), ...(await findMissing(deps, enabled))];
    },
  };
}

function findConnectionProblem({ channels }: ChannelsCheckDeps, { id, name }: ChannelConfig): readonly Finding[] {
  const { state, last_error, last_error_detail } = channels().status(id);
  if (state !== "error" || BUILT_IN.some((one) => one.id === id)) return [];
  const reason = inBothLanguages(last_error ?? "", last_error_detail);
  return [
    {
      key: "channels.down",
      level: "problem",
      said: {
        en: `the channel ${name} is not connected: ${reason.en}`,
        zh: `渠道 ${name} 未连接：${reason.zh}`,
      },
      advice: {
        en: "fix its settings on the Channels page, or switch it off",
        zh: "请在“渠道”页面修正其设置，或将其关闭",
      },
      parameters: { channel: name, reason: reason.en },
      page: "/channels",
    },
  ];
}

/** Returns findings for channels whose model or character is missing or disabled. */
async function findMissing(
  { models, characters }: ChannelsCheckDeps,
  enabled: readonly ChannelConfig[],
): Promise<readonly Finding[]> {
  const listChosen = (field: "model_id" | "character_id") =>
    enabled.flatMap(({ name, config: { [field]: id } }) => (typeof id === "string" && id !== "" ? [{ name, id }] : []));
  const ofModels = listChosen("model_id");
  const ofCharacters = listChosen("character_id");
  const availableModelIds = new Set(
    (ofModels.length > 0 ? await models()?.listEnabled("chat") : [])?.map(({ id }) => id),
  );
  const faces = await characters()?.faces(ofCharacters.map(({ id }) => id));
  return [
    ...ofModels
      .filter(({ id }) => !availableModelIds.has(id))
      .map((one) => toMissingFinding("channels.unknown_model", one, toModelMessage)),
    ...ofCharacters
      .filter(({ id }) => !faces?.has(id))
      .map((one) => toMissingFinding("channels.unknown_character", one, toCharacterMessage)),
  ];
}

interface MissingReference {
  readonly name: string;
  readonly id: string;
}

const toModelMessage = (name: string): Localized => ({
  en: `the model that the channel ${name} is to be answered by is not there or switched off; the model in use answers`,
  zh: `渠道 ${name} 指定的模型不存在或已停用，目前由全局使用的模型回复`,
});
const toCharacterMessage = (name: string): Localized => ({
  en: `the character that is to speak on the channel ${name} is not there; it answers without one`,
  zh: `渠道 ${name} 指定的角色不存在，目前不使用角色回复`,
});

function toMissingFinding(key: string, { name, id }: MissingReference, toText: (name: string) => Localized): Finding {
  return {
    key,
    level: "warning",
    said: toText(name),
    advice: { en: "choose another one on the Channels page", zh: "请在“渠道”页面重新选择" },
    parameters: { channel: name, id },
    page: "/channels",
  };
}

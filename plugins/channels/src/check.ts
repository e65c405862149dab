import {
  type ChannelConfig,
  type Characters,
  type Check,
  type Finding,
  localizeMessage,
  type Models,
} from "@parley/core";
import type { ChannelService } from "./channels.ts";
import { BUILT_IN } from "./config/schema.ts";
import { channelsTexts } from "./texts.ts";

export interface ChannelsCheckDeps {
  readonly channels: () => Pick<ChannelService, "list" | "status">;
  readonly models: () => Pick<Models, "listEnabled"> | undefined;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
}

/** Checks that enabled channels are connected and that their models and characters exist. */
export function createChannelsCheck(deps: ChannelsCheckDeps): Check {
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
  const reason = localizeMessage(last_error ?? "", last_error_detail);
  return [
    {
      key: "channels.down",
      level: "problem",
      said: channelsTexts.localized("finding_down", { name, reason }),
      advice: channelsTexts.localized("finding_down_advice"),
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
    ...ofModels.filter(({ id }) => !availableModelIds.has(id)).map((one) => toMissingFinding("unknown_model", one)),
    ...ofCharacters.filter(({ id }) => !faces?.has(id)).map((one) => toMissingFinding("unknown_character", one)),
  ];
}

interface MissingReference {
  readonly name: string;
  readonly id: string;
}

function toMissingFinding(key: "unknown_model" | "unknown_character", { name, id }: MissingReference): Finding {
  return {
    key: `channels.${key}`,
    level: "warning",
    said: channelsTexts.localized(`finding_${key}`, { name }),
    advice: channelsTexts.localized("finding_unknown_advice"),
    parameters: { channel: name, id },
    page: "/channels",
  };
}

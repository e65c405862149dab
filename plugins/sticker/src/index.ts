import {
  Characters,
  Clock,
  definePlugin,
  Egress,
  type Logger,
  type Resolver,
  SettingDefinitions,
  Settings,
  serviceKey,
  type TurnStage,
  TurnStages,
} from "@parley/core";
import { createBreaker } from "./breaker.ts";
import { STICKER, STICKER_API_URL, STICKER_PROBABILITY } from "./settings.ts";
import { stickerStages } from "./stages.ts";

const Stages = serviceKey<readonly [TurnStage, TurnStage]>("sticker.stages");

/** Stickers: a picture from an outside service that suits the mood of the answer (spec 4.18). */
export default definePlugin({
  id: "sticker",
  requires: [Settings],
  register({ log, provide, contribute }) {
    provide(Stages, (from) => stages(from, log));
    for (const one of [STICKER, STICKER_PROBABILITY, STICKER_API_URL]) contribute(SettingDefinitions, () => one);
    contribute(TurnStages, (from) => from.get(Stages)[0]);
    contribute(TurnStages, (from) => from.get(Stages)[1]);
  },
});

function stages(from: Resolver, log: Logger) {
  return stickerStages({
    settings: from.get(Settings),
    egress: from.get(Egress),
    characters: () => from.find(Characters),
    breaker: createBreaker(from.get(Clock)),
    log,
  });
}

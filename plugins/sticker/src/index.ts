import {
  Characters,
  Clock,
  definePlugin,
  Egress,
  Gateway,
  JobKinds,
  Jobs,
  type Logger,
  type Resolver,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TurnStages,
} from "@parley/core";
import { createBreaker } from "./breaker.ts";
import { lateStickerJob } from "./late-sticker.ts";
import { STICKER, STICKER_API_URL, STICKER_PROBABILITY } from "./settings.ts";
import { createStickers, type Stickers } from "./stages.ts";

const Own = serviceKey<Stickers>("sticker.stages");

/** Stickers: a picture from an outside service that suits the mood of the answer. */
export default definePlugin({
  id: "sticker",
  requires: [Settings],
  register({ log, provide, contribute }) {
    provide(Own, (from) => stickers(from, log));
    for (const one of [STICKER, STICKER_PROBABILITY, STICKER_API_URL]) contribute(SettingDefinitions, () => one);
    contribute(TurnStages, (from) => from.get(Own).stages[0]);
    contribute(TurnStages, (from) => from.get(Own).stages[1]);
    contribute(JobKinds, (from) =>
      lateStickerJob({
        sessions: () => from.get(Sessions),
        gateway: () => from.get(Gateway),
        picture: from.get(Own).late,
      }),
    );
  },
});

function stickers(from: Resolver, log: Logger): Stickers {
  return createStickers({
    settings: from.get(Settings),
    egress: from.get(Egress),
    characters: () => from.find(Characters),
    breaker: createBreaker(from.get(Clock)),
    log,
    jobs: () => from.find(Jobs),
  });
}

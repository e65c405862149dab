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
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { createLateStickerJob } from "./late-sticker.ts";
import { STICKER_API_URL, STICKER_ENABLED, STICKER_PROBABILITY } from "./settings.ts";
import { createStickers, type Stickers } from "./stages.ts";

const Own = serviceKey<Stickers>("sticker.stages");

/** Adds stickers to answers: a picture of an external service that suits the mood. */
export default definePlugin({
  id: "sticker",
  requires: [Settings],
  register({ log, provide, contribute }) {
    provide(Own, (from) => makeStickers(from, log));
    for (const one of [STICKER_ENABLED, STICKER_PROBABILITY, STICKER_API_URL])
      contribute(SettingDefinitions, () => one);
    contribute(TurnStages, (from) => from.get(Own).stages[0]);
    contribute(TurnStages, (from) => from.get(Own).stages[1]);
    contribute(JobKinds, (from) =>
      createLateStickerJob({
        sessions: () => from.get(Sessions),
        gateway: () => from.get(Gateway),
        getPicture: from.get(Own).getLateSticker,
      }),
    );
  },
});

function makeStickers(from: Resolver, log: Logger): Stickers {
  return createStickers({
    settings: from.get(Settings),
    egress: from.get(Egress),
    characters: () => from.find(Characters),
    breaker: createCircuitBreaker(from.get(Clock)),
    log,
    jobs: () => from.find(Jobs),
  });
}

import {
  Channels,
  Characters,
  Clock,
  definePlugin,
  ModelCalls,
  PromptSources,
  RecordLifecycle,
  type Resolver,
  Sessions,
  Settings,
  serviceKey,
  TurnStages,
} from "@parley/core";
import { createGroupContext } from "./group-context.ts";
import { createLoopBudget } from "./loop-budget.ts";
import { createRecentTalk } from "./recent-talk.ts";
import { createGroupPart, createPersonPart } from "./record-parts.ts";
import { createDecisionStage, createSpokenStage, type GroupDeps } from "./stages.ts";

const Own = serviceKey<GroupDeps>("groups.own");

/** Decides when the bot speaks in group conversations. */
export default definePlugin({
  id: "groups",
  requires: [Settings, Sessions],
  register({ provide, contribute }) {
    provide(Own, createDeps);
    contribute(TurnStages, (from) => createDecisionStage(from.get(Own)));
    contribute(TurnStages, (from) => createSpokenStage(from.get(Own)));
    contribute(RecordLifecycle, (from) => createPersonPart(from.get(Own).talk));
    contribute(RecordLifecycle, (from) => createGroupPart(from.get(Own).talk));
    contribute(PromptSources, (from) => createGroupContext(from.get(Own).talk, from.get(Clock).now));
  },
});

function createDeps(from: Resolver): GroupDeps {
  return {
    talk: createRecentTalk(),
    loops: createLoopBudget(),
    channels: () => from.find(Channels),
    sessions: () => from.get(Sessions),
    characters: () => from.find(Characters),
    models: () => from.find(ModelCalls),
    settings: from.get(Settings),
    clock: from.get(Clock),
    random: Math.random,
  };
}

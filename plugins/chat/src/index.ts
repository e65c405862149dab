import Joi from "@hapi/joi";
import {
  ANSWERS,
  addRecords,
  addResource,
  ChatCommands,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  DocumentTexts,
  definePlugin,
  Files,
  Gateway,
  type Logger,
  ModelCalls,
  Models,
  PromptSources,
  RecordLifecycle,
  RecordStore,
  Redaction,
  type Resolver,
  Sessions,
  SettingDefinitions,
  Settings,
  Summaries,
  serviceKey,
  TIME_ZONE,
  ToolGuard,
  TransferSections,
  TurnStages,
  withLabel,
} from "@parley/core";
import { resourceSection } from "@parley/core/transfer";
import { createAnswerStage } from "./answer/answer-stage.ts";
import { createFileTexts } from "./answer/file-texts.ts";
import { readPictures } from "./answer/pictures.ts";
import { createSessionTitles, type SessionTitles } from "./answer/session-titles.ts";
import { createTurnTools, type TurnTools } from "./answer/turn-tools.ts";
import { unreadableStage } from "./answer/unreadable-stage.ts";
import {
  createHelpCommand,
  createModelCommand,
  createNewCommand,
  createStopCommand,
} from "./commands/built-in-commands.ts";
import { createCommandStage } from "./commands/command-stage.ts";
import { createAccountLifecycle, createSavedPromptRecords } from "./library/saved-prompt-records.ts";
import { savedPrompts } from "./library/saved-prompts.ts";
import { createCollectPromptStage } from "./prompt/collect-prompt.ts";
import {
  behaviorLayer,
  channelLayer,
  clientLayer,
  createCustomPromptLayer,
  createProfileLayer,
  createToolsLayer,
  safetyLayer,
} from "./prompt/prompt-layers.ts";
import { createSummaries } from "./prompt/summaries.ts";

interface ChatConfig {
  readonly max_steps: number;
  readonly prompt_source_timeout_ms: number;
  readonly name_sessions: boolean;
}

const TurnToolsKey = serviceKey<TurnTools>("chat.turn-tools");
const SessionTitlesKey = serviceKey<SessionTitles>("chat.naming");

const PROMPTS: ConsoleArea = {
  id: "prompts",
  group: "bot",
  title: { en: "Prompts", zh: "提示词" },
  icon: "chat",
  view: { kind: "resource", resource: savedPrompts.kind },
};

/** Answers: prompt, model call and tools; also chat commands and saved prompts. */
export default definePlugin<ChatConfig>({
  id: "chat",
  requires: [ModelCalls, Models, RecordStore, Sessions],
  config: Joi.object<ChatConfig, true>({
    max_steps: withLabel(Joi.number().integer().min(1).max(50).default(8), {
      title: { en: "Model calls per turn", zh: "一轮对话的模型调用次数" },
      help: {
        en: "Maximum model calls in one turn, including those with tools",
        zh: "一轮对话中最多调用模型的次数（含工具）",
      },
    }),
    prompt_source_timeout_ms: withLabel(Joi.number().integer().min(100).max(60_000).default(5000), {
      title: { en: "Time limit per part of the prompt (ms)", zh: "单个提示词来源的时限（毫秒）" },
      help: { en: "Milliseconds each part of the prompt may take", zh: "提示词的单个来源最长耗时（毫秒）" },
    }),
    name_sessions: withLabel(Joi.boolean().default(true), {
      title: { en: "Name new conversations", zh: "自动命名新会话" },
      help: { en: "Name new conversations after their first answer", zh: "首次回答后为新会话生成标题" },
    }),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    const getStored = (from: Resolver) => () => from.get(RecordStore).of(savedPrompts);
    provide(TurnToolsKey, createTools);
    provide(Summaries, (from) => createSummaries({ models: from.get(Models), calls: from.get(ModelCalls) }));
    provide(SessionTitlesKey, (from) => {
      const { name_sessions: isEnabled } = config;
      return createSessionTitles({ sessions: from.get(Sessions), calls: from.get(ModelCalls), log, isEnabled });
    });
    contribute(SettingDefinitions, () => ANSWERS);
    for (const layer of [safetyLayer, behaviorLayer, channelLayer, clientLayer]) contribute(PromptSources, () => layer);
    contribute(PromptSources, (from) => createProfileLayer(() => from.find(Settings)?.get(TIME_ZONE) ?? "UTC"));
    contribute(PromptSources, (from) => createCustomPromptLayer(from.get(Sessions)));
    contribute(PromptSources, (from) => createToolsLayer(from.get(TurnToolsKey)));
    contribute(ChatCommands, (from) => createHelpCommand(() => from.all(ChatCommands)));
    contribute(ChatCommands, (from) => createNewCommand(from.get(Sessions)));
    contribute(ChatCommands, (from) => createStopCommand(() => from.get(Gateway)));
    contribute(ChatCommands, (from) => createModelCommand(from.get(Sessions), from.get(Models)));
    contribute(TurnStages, () => unreadableStage);
    contribute(TurnStages, (from) => createCommandStage(() => from.all(ChatCommands)));
    contribute(TurnStages, (from) => {
      const timeoutMs = config.prompt_source_timeout_ms;
      return createCollectPromptStage({ sources: () => from.all(PromptSources), timeoutMs });
    });
    contribute(TurnStages, (from) => assembleAnswerStage(from, config.max_steps, log));
    addRecords(context, savedPrompts);
    addResource(context, savedPrompts, (from) => createSavedPromptRecords(getStored(from)));
    contribute(RecordLifecycle, (from) => createAccountLifecycle(getStored(from)));
    contribute(TransferSections, (from) =>
      resourceSection({ id: "prompts", title: savedPrompts.title.many }, savedPrompts, () =>
        createSavedPromptRecords(getStored(from)),
      ),
    );
    contribute(ConsoleAreas, () => PROMPTS);
  },
  async start({ get, defer }) {
    const naming = get(SessionTitlesKey);
    defer(async () => naming[Symbol.asyncDispose]());
  },
});

const createTools = (from: Resolver) =>
  createTurnTools({
    guard: () => from.find(ToolGuard),
    files: () => from.find(Files),
    clock: from.get(Clock),
    redaction: from.get(Redaction),
  });

const assembleAnswerStage = (from: Resolver, maxSteps: number, log: Logger) =>
  createAnswerStage({
    calls: from.get(ModelCalls),
    tools: from.get(TurnToolsKey),
    naming: from.get(SessionTitlesKey),
    settings: () => from.find(Settings),
    clock: from.get(Clock),
    pictures: (urls) => readPictures(urls, from.find(Files), log),
    texts: createFileTexts({ files: () => from.find(Files), documents: () => from.find(DocumentTexts), log }),
    maxSteps,
  });

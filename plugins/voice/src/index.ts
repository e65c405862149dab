import Joi from "@hapi/joi";
import {
  ChannelAdapters,
  Channels,
  Clock,
  Databases,
  definePlugin,
  Files,
  Gateway,
  JobKinds,
  Jobs,
  LiveEvents,
  ModelCalls,
  Models,
  RecordLifecycle,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TurnStages,
  Upkeeps,
  withLabel,
} from "@parley/core";
import { createPersonDataPart } from "./person-data.ts";
import { createVoiceRoutes } from "./routes.ts";
import { ANSWER_IN_KIND, SPEAK_ENABLED, SPOKEN_CHANNELS, TRANSCRIBE_ENABLED } from "./settings.ts";
import { createSpeakJob, createSpeakStage } from "./speak-job.ts";
import { createSpeech, type Speech } from "./speech.ts";
import { followDeletedSessions } from "./spoken-uses.ts";
import { startStreamingSpeech } from "./streaming-speech.ts";
import { VOICE_MIGRATIONS } from "./tables.ts";
import { voiceTexts } from "./texts.ts";
import { createTranscribeStage } from "./transcribe-stage.ts";
import { createTranscribe, type Transcribe } from "./transcription.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

const OwnSpeech = serviceKey<Speech>("voice.speech");
const OwnHearing = serviceKey<Transcribe>("voice.hearing");

interface VoiceConfig {
  readonly keep_mb: number;
  readonly keep_days: number;
  readonly transcribe_timeout_s: number;
}

/** The voice plugin: speech synthesis and transcription, voice messages, and spoken replies. */
export default definePlugin<VoiceConfig>({
  id: "voice",
  requires: [Databases, Files, Models, ModelCalls, Jobs, Settings],
  config: Joi.object<VoiceConfig, true>({
    keep_mb: withLabel(Joi.number().min(1).default(1024), {
      title: { en: "Maximum size of speech kept (MiB)", zh: "语音文件总大小上限（MiB）" },
      help: {
        en: "Total size of speech files in MiB. The oldest are removed first",
        zh: "语音文件的总大小（MiB），超出时先删除最早的",
      },
    }),
    keep_days: withLabel(Joi.number().positive().default(7), {
      title: { en: "Keep speech for (days)", zh: "语音文件保留（天）" },
      help: { en: "Days to keep speech files", zh: "语音文件保留的天数" },
    }),
    transcribe_timeout_s: withLabel(Joi.number().min(0.1).max(300).default(60), {
      title: { en: "Time limit for transcribing (seconds)", zh: "语音转文字时限（秒）" },
      help: {
        en: "Seconds to wait for a voice message to be transcribed, with all its recordings",
        zh: "语音消息等待转成文字的最长时间（秒），含其中全部录音",
      },
    }),
  }),
  register({ config, provide, contribute }) {
    provide(OwnSpeech, (from) =>
      createSpeech({
        database: () => from.get(Databases).main,
        files: () => from.get(Files),
        models: () => from.get(Models),
        calls: () => from.get(ModelCalls),
        clock: from.get(Clock),
        retentionMs: config.keep_days * DAY_MS,
        maxBytes: config.keep_mb * MEBIBYTE,
      }),
    );
    provide(OwnHearing, (from) => createTranscribe(() => from.get(ModelCalls)));
    contribute(RouteTables, (from) =>
      createVoiceRoutes({ speech: from.get(OwnSpeech), transcribe: from.get(OwnHearing) }),
    );
    for (const one of [SPEAK_ENABLED, TRANSCRIBE_ENABLED, ANSWER_IN_KIND, SPOKEN_CHANNELS])
      contribute(SettingDefinitions, () => one);
    contribute(TurnStages, (from) =>
      createTranscribeStage({
        transcribe: from.get(OwnHearing),
        files: () => from.get(Files),
        database: () => from.get(Databases).main,
        settings: () => from.get(Settings),
        clock: from.get(Clock),
        timeoutMs: config.transcribe_timeout_s * 1_000,
      }),
    );
    contribute(TurnStages, (from) =>
      createSpeakStage({ settings: () => from.get(Settings), jobs: () => from.get(Jobs) }),
    );
    contribute(JobKinds, (from) =>
      createSpeakJob({
        speech: () => from.get(OwnSpeech),
        sessions: () => from.get(Sessions),
        gateway: () => from.get(Gateway),
        getPlayableTypes(channelId) {
          const type = from.find(Channels)?.get(channelId)?.type;
          return from.all(ChannelAdapters).find((adapter) => adapter.type === type)?.playsAudio;
        },
      }),
    );
    contribute(RecordLifecycle, (from) => from.get(OwnSpeech).sessionPart);
    contribute(RecordLifecycle, (from) =>
      createPersonDataPart({ database: () => from.get(Databases).main, files: () => from.get(Files) }),
    );
    contribute(Upkeeps, (from) => ({
      name: "voice.prune",
      title: { en: "Remove old speech", zh: "清理旧语音" },
      everyMs: HOUR_MS,
      run: async ({ log }) => log(voiceTexts.message("removed", { count: await from.get(OwnSpeech).prune() })),
    }));
  },
  async start({ get }) {
    await get(Databases).main.migrate("voice", VOICE_MIGRATIONS);
  },
  async ready({ get, defer, log }) {
    const shared = {
      speech: get(OwnSpeech),
      sessions: get(Sessions),
      settings: get(Settings),
      events: get(LiveEvents),
    };
    defer(startStreamingSpeech({ ...shared, log }));
    defer(followDeletedSessions(shared.events, shared.speech.removeExpired, log));
  },
});

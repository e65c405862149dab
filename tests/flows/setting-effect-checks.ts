import { Databases, Files, fixedStatement, Jobs, type Message } from "@parley/core";
import { expect } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import type { Parley } from "../harness/parley.ts";
import type { FakeChannel } from "../harness/plugins/fake-channel.ts";
import type { PushServer } from "../harness/servers/push-server.ts";
import { createRecording, type VoiceServer } from "../harness/servers/voice-server.ts";

export type EffectChecks = Readonly<Record<string, () => Promise<void>>>;

export interface EffectFixture {
  readonly parley: Parley;
  readonly api: Client;
  /** A channel with file support. */
  readonly channel: FakeChannel;
  readonly voice: VoiceServer;
  readonly pushes: PushServer;
  put(key: string, value: unknown): Promise<unknown>;
  chat(content: string): Promise<unknown>;
  /** Resolves when all turns of channels have ended. */
  quiet(): Promise<void>;
  /** Unfinished jobs of a kind. */
  jobsOf(kind: string): Promise<readonly unknown[]>;
}

/** Checks of the voice settings: the server records all synthesis and transcription. */
export function createVoiceChecks(ground: () => EffectFixture): EffectChecks {
  const session = async () => (await ground().api.post<{ id: string }>("/api/sessions", {})).id;
  const speakAndList = async (words: string) => {
    const { api, parley } = ground();
    const id = await session();
    const { url } = await parley.host.get(Files).put(createRecording(words, "ogg"), { name: "voice.ogg" });
    await api.post(`/api/sessions/${id}/chat`, { content: "listen", attachments: [{ type: "audio", url }] });
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    return items[0]?.content;
  };
  /** Expects that only the second text is spoken: the first was sent before the setting changed. */
  const forwardsOnlySecond = async (first: string, second: string) => {
    const { voice, jobsOf } = ground();
    await eventually(() => expect(JSON.stringify(voice.speechRequests)).toContain(second));
    await eventually(async () => expect(await jobsOf("voice.speak")).toEqual([]));
    expect(JSON.stringify(voice.speechRequests)).not.toContain(first);
    await ground().put("features.tts", null);
  };
  return {
    async "features.tts"() {
      const { api, put } = ground();
      const id = await session();
      await api.put(`/api/sessions/${id}`, { tts_config: { enabled: true } });
      await put("features.tts", false);
      await api.post(`/api/sessions/${id}/chat`, { content: "a word that is written" });
      await put("features.tts", true);
      await api.post(`/api/sessions/${id}/chat`, { content: "a word that is said" });
      await forwardsOnlySecond("a word that is written", "a word that is said");
    },
    async "voice.transcribe"() {
      const { put } = ground();
      await put("voice.transcribe", false);
      const before = await speakAndList("the key is under the mat");
      await put("voice.transcribe", true);
      expect([before, await speakAndList("the key is under the mat")]).toEqual([
        "listen",
        "listen\nthe key is under the mat",
      ]);
    },
    async "voice.answer_in_kind"() {
      const { put } = ground();
      await put("features.tts", true);
      await speakAndList("answer in writing");
      await put("voice.answer_in_kind", true);
      await speakAndList("answer with a voice");
      await put("voice.answer_in_kind", null);
      await forwardsOnlySecond("answer in writing", "answer with a voice");
    },
    async "voice.channels"() {
      const { channel, put, quiet } = ground();
      const listSounds = () =>
        channel.sent.filter(
          ({ conversation, attachments }) => conversation.id === "radio" && attachments.some(isAudio),
        );
      await put("features.tts", true);
      await channel.say("radio", "on the page");
      await quiet();
      await put("voice.channels", [channel.id]);
      await channel.say("radio", "on the air");
      await eventually(() => expect(listSounds()).toHaveLength(1));
      await put("voice.channels", null);
      await forwardsOnlySecond("on the page", "on the air");
      expect(listSounds()).toHaveLength(1);
    },
  };
}

const isAudio = ({ type }: { readonly type: string }) => type === "audio";

/** Checks of the notification settings; messages are decrypted as in the browser. */
export function createPushChecks(ground: () => EffectFixture): EffectChecks {
  const subscribe = (browser: string) => {
    const { api, pushes } = ground();
    return api.send("POST", "/api/push/subscribe", { body: { subscription: pushes.subscription(browser) } });
  };
  const runSubscribed = async (browser: string, work: (letters: () => PushServer["letters"]) => Promise<void>) => {
    const { api, pushes, put, jobsOf } = ground();
    await put("push.allow_private_endpoints", true);
    expect(await subscribe(browser)).toMatchObject({ status: 200 });
    await work(() => pushes.letters.filter((letter) => letter.browser === browser));
    await eventually(async () => expect(await jobsOf("push.send")).toEqual([]));
    const { endpoint } = pushes.subscription(browser);
    await api.post("/api/push/unsubscribe", { endpoint });
  };
  return {
    async "push.allow_private_endpoints"() {
      const { put } = ground();
      await put("push.allow_private_endpoints", false);
      const rejected = await subscribe("inside");
      await put("push.allow_private_endpoints", true);
      expect([rejected.status, (await subscribe("inside")).status]).toEqual([400, 200]);
    },
    "push.hide_content": () =>
      runSubscribed("over-the-shoulder", async (letters) => {
        const { put, chat } = ground();
        const bodies = () => letters().map(({ payload }) => payload.body);
        await put("push.hide_content", true);
        await chat("softly");
        await eventually(() => expect(bodies()).toEqual([""]));
        await put("push.hide_content", null);
        await chat("loudly");
        await eventually(() => expect(bodies()).toEqual(["", expect.stringContaining("loudly")]));
      }),
    "push.platform_sessions": () =>
      runSubscribed("elsewhere", async (letters) => {
        const { channel, put, quiet, jobsOf } = ground();
        const listTags = () => letters().map(({ payload }) => payload.tag);
        await channel.say("quiet-street", "hello");
        await quiet();
        await put("push.platform_sessions", true);
        await channel.say("loud-street", "hello");
        await eventually(() => expect(listTags()).not.toEqual([]));
        await eventually(async () => expect(await jobsOf("push.send")).toEqual([]));
        await put("push.platform_sessions", null);
        expect(listTags()).toEqual([`${channel.id}:group:loud-street`]);
      }),
  };
}

/** Checks of the filter settings. */
export function createFilterChecks(ground: () => EffectFixture): EffectChecks {
  const word = "unmentionable";
  const countHits = async () => (await ground().api.get<{ total: number }>("/api/message-filter/hits")).total;
  const runCleanup = async () => {
    const { parley, jobsOf } = ground();
    await parley.host.get(Jobs).add("filter.prune", {});
    await eventually(async () => expect(await jobsOf("filter.prune")).toEqual([]));
    return countHits();
  };
  const countBlocked = async () => {
    const { api, chat } = ground();
    const rule = { pattern: word, action: "recall" };
    const { id } = await api.post<{ id: string }>("/api/message-filter", rule);
    const answer = await chat(word);
    await api.send("DELETE", `/api/message-filter/${id}`);
    return JSON.stringify(answer);
  };
  return {
    async "filter.notice"() {
      const before = await countBlocked();
      await ground().put("filter.notice", "Mind the house rules.");
      expect([before, await countBlocked()].map((text) => text.includes("Mind the house rules."))).toEqual([
        false,
        true,
      ]);
    },
    async "filter.history_days"() {
      const { parley, put } = ground();
      await countBlocked();
      const aged = new Date(Date.now() - 3 * 86_400_000).toISOString();
      const query = fixedStatement("update filter_history set created_at = ?", [aged]);
      await parley.host.get(Databases).main.write([{ query }]);
      const before = await runCleanup();
      await put("filter.history_days", 2);
      expect([before > 0, await runCleanup()]).toEqual([true, 0]);
    },
    async "filter.history_most"() {
      await countBlocked();
      const before = await runCleanup();
      await ground().put("filter.history_most", 0);
      await countBlocked();
      expect([before > 0, await runCleanup()]).toEqual([true, 0]);
    },
  };
}

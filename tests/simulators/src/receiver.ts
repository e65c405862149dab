import type { IncomingHttpHeaders } from "node:http";
import {
  type HttpAnswer,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "./platform-server.ts";
import { createWebhookAnnouncement } from "./webhook.ts";

export interface ReceivedPost {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly raw: Buffer;
  /** Status of the response; 0 when the connection was ended or left open instead. */
  readonly status: number;
}

/** A webhook receiver that records all posts and responds with the scripted statuses, else 200. */
export interface Receiver extends Platform<ReceivedPost> {
  readonly address: string;
  /** Alias of `calls`. */
  readonly posts: readonly ReceivedPost[];
  /** Statuses of the next answers; 0 ends the connection instead. */
  readonly answers: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }[];
  /** Sets the webhook for messages of people, with its authentication headers. */
  useWebhook(webhook: { readonly url: string; readonly headers: Readonly<Record<string, string>> }): void;
  /** Resolves when this many posts were received. */
  received(count: number): Promise<void>;
}

export async function startReceiver(options: SimulatorOptions = {}): Promise<Receiver> {
  const answers: Receiver["answers"] = [];
  /** Messages by idempotency key, so that a retry is the same message. */
  const messagesByKey = new Map<string, { readonly conversation: string; readonly text: string }>();
  let webhook: Parameters<Receiver["useWebhook"]>[0] | undefined;

  const server: PlatformServer<ReceivedPost> = await startPlatformServer<ReceivedPost>({
    options,
    async serve(call) {
      const { headers, raw } = call;
      const body = call.body();
      const key = String(headers["idempotency-key"] ?? `post ${server.simulator.calls.length}`);
      const conversation = String(body.conversation_id ?? "");
      const storeMessage = () =>
        void (messagesByKey.has(key) || messagesByKey.set(key, { conversation, text: String(body.content) }));
      const planned = answers.shift();
      if (planned && planned.status < 300) storeMessage();
      const answer = planned
        ? createAnswer(planned.status, planned.headers)
        : await server.perform<HttpAnswer>("post", conversation, {
            done() {
              storeMessage();
              return createAnswer(200);
            },
            tooMany: () => createAnswer(429, { "retry-after": "1" }),
            serverError: () => createAnswer(503),
            lyingOk: () => createAnswer(200),
            halfOpen: () => "leave",
          });
      server.record({ headers, body, raw, status: typeof answer === "object" ? (answer.status ?? 200) : 0 });
      return answer;
    },
  });
  const { simulator } = server;
  return {
    ...simulator,
    address: `http://${server.authority}/hook`,
    posts: simulator.calls,
    answers,
    useWebhook(given) {
      webhook = given;
    },
    say(conversation, text, more = {}) {
      const body = JSON.stringify({
        message_id: `said_${server.nextId()}`,
        conversation_id: conversation,
        user_id: conversation,
        content: text,
        ...more,
      });
      const createPost = () => {
        if (!webhook) throw new Error("no webhook is set");
        return { ...webhook, body };
      };
      return server.announce(conversation, createWebhookAnnouncement(createPost, server.stopping));
    },
    shown: (conversation) =>
      [...messagesByKey.values()].filter((one) => one.conversation === conversation).map(({ text }) => text),
    received: async (count) => void (await simulator.waitFor(() => simulator.calls.length >= count)),
  };
}

function createAnswer(status: number, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return status === 0 ? "drop" : { status, headers, body: {} };
}

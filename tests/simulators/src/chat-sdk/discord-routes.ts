import type { HttpAnswer, PlatformServer } from "../platform-server.ts";
import type { DiscordCall, DiscordMessage } from "./discord-server.ts";

type Body = Readonly<Record<string, unknown>>;

export const DISCORD_BOT = { id: "900", username: "parley", global_name: "Parley", bot: true } as const;
const MAX_CONTENT = 2_000;
export const DISCORD_THREAD_TYPE = 11;

/** Requests of Discord's API by method and path. */
export type DiscordRoutes = readonly (readonly [
  pattern: RegExp,
  run: (ids: readonly string[], body: Body, file?: Buffer) => HttpAnswer,
])[];

interface RouteDeps {
  readonly messages: DiscordMessage[];
  readonly threads: Map<string, string>;
  readonly reactions: Set<string>;
  readonly server: () => Pick<PlatformServer<DiscordCall>, "nextId" | "changed" | "authority">;
}

/** Creates the answers of Discord's API. */
export function createDiscordRoutes({ messages, threads, reactions, server }: RouteDeps): DiscordRoutes {
  const findAt = (channel: string, id: string) =>
    messages.findIndex((one) => one.id === id && one.channel_id === channel);
  const unknown = createDiscordFailure(404, 10_008, "Unknown Message");
  return [
    [/^GET \/gateway\/bot$/, () => ({ body: { url: `ws://${server().authority}/gateway`, shards: 1 } })],
    [/^GET \/users\/@me$/, () => ({ body: DISCORD_BOT })],
    [
      /^GET \/users\/(\w+)$/,
      ([id]) => ({ body: id === DISCORD_BOT.id ? DISCORD_BOT : { id, username: "lin", global_name: "Lin" } }),
    ],
    [/^POST \/channels\/(\w+)\/typing$/, () => ({ body: "" })],
    [
      /^GET \/channels\/(\w+)$/,
      ([id = ""]) => {
        const parent_id = threads.get(id);
        return { body: parent_id === undefined ? { id, type: 0 } : { id, type: DISCORD_THREAD_TYPE, parent_id } };
      },
    ],
    [
      /^POST \/channels\/(\w+)\/messages\/(\w+)\/threads$/,
      ([channel = "", id = ""]) => {
        if (threads.has(id))
          return createDiscordFailure(400, 160_004, "A thread has already been created for this message");
        threads.set(id, channel);
        return { body: { id, name: "Thread", parent_id: channel } };
      },
    ],
    [
      /^POST \/channels\/(\w+)\/messages$/,
      ([channel_id = ""], body, file) => {
        const { content, components } = body;
        const text = typeof content === "string" && content !== "" ? content : readEmbed(body.embeds);
        if (channel_id.endsWith("404")) return createDiscordFailure(404, 10_003, "Unknown Channel");
        if (text.length > MAX_CONTENT) return createDiscordFailure(400, 50_035, "Invalid Form Body");
        if (text.trim() === "" && !file) return createDiscordFailure(400, 50_006, "Cannot send an empty message");
        const message = { id: String(server().nextId()), channel_id, text };
        messages.push({ ...message, ...(file && { file }), ...(components !== undefined && { components }) });
        server().changed();
        return { body: toApiMessage(message) };
      },
    ],
    [
      /^PATCH \/channels\/(\w+)\/messages\/(\w+)$/,
      ([channel = "", id = ""], { content }) => {
        const at = findAt(channel, id);
        const old = messages[at];
        if (!old) return unknown;
        messages[at] = { ...old, text: String(content) };
        server().changed();
        return { body: toApiMessage(messages[at]) };
      },
    ],
    [
      /^DELETE \/channels\/(\w+)\/messages\/(\w+)$/,
      ([channel = "", id = ""]) => {
        const at = findAt(channel, id);
        if (at < 0) return unknown;
        messages.splice(at, 1);
        server().changed();
        return { body: "" };
      },
    ],
    [
      /^GET \/channels\/(\w+)\/messages\?/,
      ([channel]) => ({
        body: messages
          .filter((one) => one.channel_id === channel)
          .map(toApiMessage)
          .reverse(),
      }),
    ],
    [
      /^PUT \/channels\/\w+\/messages\/(\w+)\/reactions\/([^/]+)\/@me$/,
      ([id, emoji = ""]) => {
        reactions.add(`${id} ${decodeURIComponent(emoji)}`);
        server().changed();
        return { body: "" };
      },
    ],
  ];
}

/** Returns the text of a card. */
function readEmbed(embeds: unknown): string {
  const [first]: readonly unknown[] = Array.isArray(embeds) ? embeds : [];
  const description: unknown = typeof first === "object" && first !== null ? Reflect.get(first, "description") : "";
  return typeof description === "string" ? description : "";
}

function toApiMessage({ id, channel_id, text }: Pick<DiscordMessage, "id" | "channel_id" | "text">): object {
  const timestamp = new Date().toISOString();
  return {
    id,
    channel_id,
    content: text,
    author: DISCORD_BOT,
    timestamp,
    edited_timestamp: null,
    attachments: [],
    type: 0,
  };
}

export function createDiscordFailure(status: number, code: number, message: string): HttpAnswer {
  return { status, body: { message, code } };
}

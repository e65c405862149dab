import {
  AppError,
  Caches,
  Clock,
  createSecrets,
  Databases,
  DocumentKinds,
  Egress,
  Environment,
  LiveEvents,
  RecordStore,
  Redaction,
  type Resolver,
  SecretBox,
  Secrets,
  type ServiceKey,
} from "@parley/core";
import {
  createTestClock,
  memoryCaches,
  memoryDatabases,
  memoryRecordStore,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
} from "@parley/testing";
import plugin from "./index.ts";

export interface StartedModels extends StartedPlugins {
  readonly events: ReturnType<typeof recordedEvents>;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly variables: Map<string, string>;
}

/** Starts the plugin with in-memory services; its requests are sent by the real `fetch`. */
export async function startModels({ maxBytes }: { readonly maxBytes?: number } = {}): Promise<StartedModels> {
  const events = recordedEvents();
  const clock = createTestClock();
  const variables = new Map<string, string>();
  const secrets = new Set<string>();
  const databases = memoryDatabases();
  const database = databases.main;
  const services = (from: Resolver): [ServiceKey<unknown>, unknown][] => [
    [
      RecordStore,
      memoryRecordStore({ kinds: () => [], documents: () => from.all(DocumentKinds), secrets: from, database }),
    ],
    [Databases, databases],
    [Caches, memoryCaches()],
    [LiveEvents, events],
    [Clock, clock],
    [Egress, { fetch: () => (maxBytes === undefined ? fetch : bounded(fetch, maxBytes)) }],
    [Environment, { get: (name: string) => variables.get(name), secret: (name: string) => variables.get(name) }],
    [
      Redaction,
      { remember: (secret: string) => void secrets.add(secret), mask: <T>(value: T) => masked(value, secrets) },
    ],
    [Secrets, createSecrets(from)],
    [
      SecretBox,
      {
        seal: (secret: string, owner: string) => `sealed:${owner}:${Buffer.from(secret).toString("base64")}`,
        open(sealed: string, owner: string) {
          const [, of, secret = ""] = sealed.split(":");
          if (of !== owner) throw new Error("sealed for another record");
          return Buffer.from(secret, "base64").toString();
        },
      },
    ],
  ];
  const started = await startPlugins([plugin], { services });
  return { ...started, events, clock, variables };
}

function masked<T>(value: T, secrets: ReadonlySet<string>): T {
  if (typeof value !== "string") return value;
  return [...secrets].reduce((text: string, secret) => text.replaceAll(secret, "***"), value) as T;
}

/** Wraps `fetch` to limit the size of answers, as the host does. */
function bounded(send: typeof fetch, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    let left = maxBytes;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) controller.error(new AppError("too_large", "the provider sent too much"));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(limit) ?? null, response);
  };
}

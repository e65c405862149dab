import {
  AppError,
  type Caller,
  type DefinedPlugin,
  type ExtensionPoint,
  type HttpReply,
  isRawReply,
  isReply,
  type Logger,
  type Resolver,
  RouteTables,
  SCOPES,
  type ServiceKey,
  silentLogger,
} from "@parley/core";
import { answerProblem } from "./answer-problem.ts";

/** Caller with an administrator's login, as routes receive it. */
export const testCaller: Caller = {
  kind: "login",
  credentialId: "test",
  accountId: "user_test",
  username: "admin",
  scopes: SCOPES,
  rateLimitPerMinute: 0,
};

/** Input of a route. */
export interface CallOptions {
  readonly body?: object;
  readonly query?: object;
  readonly caller?: Caller;
  readonly ifMatch?: number;
  readonly signal?: AbortSignal;
}

/** Plugins that run without a host. */
export interface StartedPlugins extends Resolver, AsyncDisposable {
  /**
   * Calls the route for a path such as `POST /api/x/1` with its schemas applied, and returns its `data` (or the raw reply). Throws the
   * route's error, and an error when the response deviates from its declaration. Does not involve HTTP, which the host's own tests
   * cover.
   */
  call<Data = unknown>(methodAndPath: string, options?: CallOptions): Promise<Data>;
}

type GivenServices = readonly (readonly [key: ServiceKey<unknown>, service: unknown])[];

export interface StartPluginsOptions {
  /** Services that the plugins need and that no plugin of the test provides; a function can read contributions. */
  readonly services?: GivenServices | ((from: Resolver) => GivenServices);
  /** Settings sections by plugin id. */
  readonly config?: Readonly<Record<string, object>>;
  readonly log?: Logger;
}

/** Registers and starts plugins in the given order without a host, for tests of one or a few plugins. */
export async function startPlugins(
  plugins: readonly DefinedPlugin[],
  { services = [], config = {}, log = silentLogger }: StartPluginsOptions = {},
): Promise<StartedPlugins> {
  const singles = new Map<symbol, () => unknown>();
  const lists = new Map<symbol, (() => unknown)[]>();
  const from: Resolver = {
    get<T>(key: ServiceKey<T>): T {
      const make = singles.get(key.token as symbol);
      if (!make) throw new AppError("unavailable", `no enabled plugin provides '${key.id}'`);
      return make() as T;
    },
    find: <T>(key: ServiceKey<T>) => singles.get(key.token as symbol)?.() as T | undefined,
    all: <T>(point: ExtensionPoint<T>) => (lists.get(point.token as symbol) ?? []).map((make) => make() as T),
  };
  const given = typeof services === "function" ? services(from) : services;
  for (const [key, service] of given) singles.set(key.token as symbol, () => service);

  await using starting = new AsyncDisposableStack();
  const configs = plugins.map(({ id, config: schema }) => {
    const { value, error } = schema ? schema.validate(config[id] ?? {}) : { value: {}, error: undefined };
    if (error) throw new AppError("bad_request", `[plugin.${id}] ${error.message}`);
    return value as never;
  });
  for (const [index, plugin] of plugins.entries()) {
    plugin.register({
      config: configs[index] as never,
      log,
      provide: (key, make) =>
        void singles.set(
          key.token as symbol,
          once(() => make(from)),
        ),
      contribute(point, make) {
        const token = point.token as symbol;
        const made = once(() => acceptContribution(plugin.id, point, make(from)));
        lists.set(token, [...(lists.get(token) ?? []), made]);
      },
    });
  }
  for (const step of ["start", "ready"] as const) {
    for (const [index, plugin] of plugins.entries()) {
      const scope = starting.use(new AsyncDisposableStack());
      await plugin[step]?.({
        ...from,
        config: configs[index] as never,
        log,
        defer: (release) => void scope.defer(release),
        acrossReloads(_name, make, end) {
          const open = make();
          scope.defer(() => end(open));
          return open;
        },
      });
    }
  }
  const running = starting.move();
  return {
    ...from,
    call: (methodAndPath, options = {}) => callRoute(from, methodAndPath, options),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function callRoute<Data>(from: Resolver, methodAndPath: string, options: CallOptions): Promise<Data> {
  const [method = "", address = ""] = methodAndPath.split(" ");
  const url = new URL(address, "http://test");
  const found = findRoute(from, method, url.pathname);
  if (!found) throw new AppError("not_found", `no row serves ${methodAndPath}`);
  const { row, params } = found;
  const query = { ...Object.fromEntries(url.searchParams), ...options.query };
  const value = await row.run({
    params: params as never,
    query: row.query ? unwrapValidated(row.query.validate(query, { stripUnknown: true })) : undefined,
    body: row.body ? unwrapValidated(row.body.validate(options.body ?? {})) : undefined,
    caller: options.caller ?? testCaller,
    requestId: "req_test",
    address: "127.0.0.1",
    origin: "http://127.0.0.1:5000",
    headers: {},
    ifMatch: options.ifMatch,
    parts: [],
    upload: { async *[Symbol.asyncIterator]() {} },
    signal: options.signal ?? new AbortController().signal,
  });
  if (isRawReply(value)) return value as Data;
  if (row.reply === "raw") throw new AppError("internal", `the raw row ${methodAndPath} must return rawReply(…)`);
  const { data, status = 200, message = "" } = isReply(value) ? value : ({ data: value } as HttpReply);
  const text = JSON.stringify({ success: true, data: data ?? null, message });
  const problem = answerProblem(row, { status, type: "application/json", text });
  if (problem) throw new AppError("internal", problem);
  return data as Data;
}

function findRoute(from: Resolver, method: string, path: string) {
  const given = path.split("/").map(decodeURIComponent);
  const fits = from
    .all(RouteTables)
    .flat()
    .flatMap((row) => {
      const wanted = row.path.split("/");
      if (row.method !== method || wanted.length !== given.length) return [];
      const params: Record<string, string> = {};
      for (const [index, part] of wanted.entries()) {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (name) params[name] = given[index] ?? "";
        else if (part !== given[index]) return [];
      }
      return [{ row, params }];
    });
  // Literal segments win over parameters.
  return fits.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

function unwrapValidated<T>({ value, error }: { value: T; error?: Error | undefined }): T {
  if (error) throw new AppError("bad_request", error.message);
  return value;
}

/** Accepts a contribution; throws where the host would leave the plugin out. */
function acceptContribution<T>(plugin: string, { id, accept }: ExtensionPoint<T>, contribution: T): T {
  try {
    return accept ? accept(contribution) : contribution;
  } catch (error) {
    const message = `plugin '${plugin}': what it adds to ${id} cannot be used: ${(error as Error).message}`;
    throw new AppError("bad_request", message, { cause: error });
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

import { createHash } from "node:crypto";
import Joi from "@hapi/joi";
import {
  notFound,
  Probes,
  type RawReply,
  type Route,
  RouteTables,
  rawReply,
  route,
  routeName,
  toSharedError,
} from "@parley/core";
import { answerFields } from "@parley/core/http";
import { pluginListSchema, pluginShape, removedPluginSchema } from "./host-schemas.ts";
import type { HttpGeneration, PluginChange } from "./http-generation.ts";
import { createMetrics } from "./metrics.ts";
import { describeApi } from "./openapi/describe-api.ts";
import { renderDocsPage } from "./openapi/docs-page.ts";

/** Headers of an untrusted SVG: without scripts as a picture, and sandboxed when opened directly. */
const ICON_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  "cache-control": "no-cache",
};
const LOOPBACK = /^(127\.|::1$)/;

/** Returns the names of the host's routes, which plugins cannot use, in the form of the uniqueness check. */
export function listHostRouteNames(): ReadonlySet<string> {
  return new Set(listHostRoutes().map((one) => `row ${routeName(one)}`));
}

/** Lists the host's own routes for descriptions; their handlers cannot be called. */
export function listHostRoutes(): readonly Route[] {
  const nobody = undefined as never;
  return createHostRoutes({ from: nobody, plugins: nobody, log: nobody });
}

/** Creates the host's own routes: API description, metrics, plugins. */
export function createHostRoutes({ from, plugins, log }: Omit<HttpGeneration, "sections">): readonly Route[] {
  const metrics = createMetrics(log);
  const all = () => [...from.all(RouteTables).flat(), ...routes];
  const description = createCachedReply(() => JSON.stringify(describeApi(all())), "application/json");
  const page = createCachedReply(() => renderDocsPage(all()), "text/html; charset=utf-8", {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  const change = Joi.object<PluginChange>({
    enabled: Joi.boolean().description("Whether the plugin runs"),
    config: Joi.object().unknown().description("Its settings; null takes one back to config.ini or its default"),
  }).min(1);
  const routes: readonly Route[] = [
    route({
      method: "GET",
      path: "/api/openapi.json",
      summary: "this interface, as OpenAPI 3.1",
      data: { "application/json": answerFields.record },
      reply: "raw",
      auth: "open",
      run: () => description(),
    }),
    route({
      method: "GET",
      path: "/api/docs",
      summary: "this interface, as a page",
      data: { "text/html": answerFields.text },
      reply: "raw",
      auth: "open",
      run: () => page(),
    }),
    route({
      method: "GET",
      path: "/metrics",
      summary: "measurements for Prometheus",
      data: { "text/plain": answerFields.text },
      reply: "raw",
      auth: "open",
      async run({ caller, address }) {
        const mayRead = caller.scopes.some((scope) => scope === "read" || scope === "admin");
        if (!mayRead && !LOOPBACK.test(address)) throw toSharedError("unauthorized", "sign_in_first", {});
        return rawReply({
          body: await metrics(from.all(Probes)),
          type: "text/plain; version=0.0.4; charset=utf-8",
        });
      },
    }),
    route({
      method: "GET",
      path: "/api/plugins",
      summary: "the plugins, where they come from, their state and settings",
      data: pluginListSchema,
      run: () => ({ items: plugins.list(), total: plugins.list().length, limit: 500, offset: 0 }),
    }),
    route({
      method: "GET",
      path: "/api/plugins/{id}/icon",
      summary: "the picture that a plugin's package brings",
      data: { "image/svg+xml": answerFields.text },
      reply: "raw",
      run({ params }) {
        const body = plugins.iconOf(params.id);
        if (!body) throw notFound("icon of the plugin", params.id);
        return rawReply({ body, type: "image/svg+xml", headers: ICON_HEADERS });
      },
    }),
    route({
      method: "PUT",
      path: "/api/plugins/{id}",
      summary: "switch a plugin or change its settings",
      data: pluginShape,
      scope: "admin",
      body: change,
      timeoutMs: 120_000,
      run: ({ params, body, ifMatch }) => plugins.change(params.id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: "/api/plugins/{id}",
      summary: "take away a plugin whose package was added",
      data: removedPluginSchema,
      scope: "admin",
      timeoutMs: 300_000,
      run: async ({ params }) => ({ id: params.id, deleted: true, add_again: await plugins.remove(params.id) }),
    }),
  ];
  return routes;
}

/** Creates a reply that is built on first use and stays the same for a generation; its etag lets clients cache it. */
function createCachedReply(
  make: () => string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): () => RawReply {
  let made: RawReply | undefined;
  return () => {
    if (made) return made;
    const body = Buffer.from(make());
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    made = rawReply({ body, type, headers: { ...headers, etag, "cache-control": "no-cache" } });
    return made;
  };
}

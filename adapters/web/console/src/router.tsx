import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { ConversationsPage } from "./pages/conversations.tsx";
import { NotFound } from "./pages/not-found.tsx";
import { Shell } from "./parts/shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component });

// Conversations come with the first load; what is managed now and then comes when it is asked for.
const Channels = lazyRouteComponent(() => import("./pages/channels.tsx"), "ChannelsPage");
const Filter = lazyRouteComponent(() => import("./pages/filter.tsx"), "FilterPage");
const Gateway = lazyRouteComponent(() => import("./pages/gateway.tsx"), "GatewayPage");
const Mcp = lazyRouteComponent(() => import("./pages/mcp.tsx"), "McpPage");
const Models = lazyRouteComponent(() => import("./pages/models.tsx"), "ModelsPage");
const Access = lazyRouteComponent(() => import("./pages/access.tsx"), "AccessPage");
const Plugins = lazyRouteComponent(() => import("./pages/plugins.tsx"), "PluginsPage");
const Status = lazyRouteComponent(() => import("./pages/status.tsx"), "StatusPage");
const Settings = lazyRouteComponent(() => import("./pages/settings.tsx"), "SettingsPage");

// Sub-views live in the fragment: one page serves them all.
export const router = createRouter({
  history: createHashHistory(),
  defaultPreload: "intent",
  routeTree: root.addChildren([
    page("/", ConversationsPage),
    page("/sessions/$sessionId", ConversationsPage),
    page("/channels", Channels),
    page("/filter", Filter),
    page("/gateway", Gateway),
    page("/models", Models),
    page("/mcp", Mcp),
    page("/mcp/$view", Mcp),
    page("/access", Access),
    page("/plugins", Plugins),
    page("/status", Status),
    page("/settings", Settings),
  ]),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

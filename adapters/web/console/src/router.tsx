import { createHashHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { AccessPage } from "./pages/access.tsx";
import { ConversationsPage } from "./pages/conversations.tsx";
import { ModelsPage } from "./pages/models.tsx";
import { PluginsPage } from "./pages/plugins.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { StatusPage } from "./pages/status.tsx";
import { Shell } from "./parts/shell.tsx";

const root = createRootRoute({ component: Shell });
const page = <const Path extends string>(path: Path, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => root, path, component });

// Sub-views live in the fragment: one page serves them all.
export const router = createRouter({
  history: createHashHistory(),
  routeTree: root.addChildren([
    page("/", ConversationsPage),
    page("/sessions/$sessionId", ConversationsPage),
    page("/models", ModelsPage),
    page("/access", AccessPage),
    page("/plugins", PluginsPage),
    page("/status", StatusPage),
    page("/settings", SettingsPage),
  ]),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

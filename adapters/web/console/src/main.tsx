import "./shared/styles/reset.css";
import "./shared/styles/tokens.css";
import "./shared/styles/first.ts";
import "./shared/styles/library.css";
import "./shared/i18n/i18n.ts";
import "@fontsource-variable/figtree";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Shell } from "./app/shell.tsx";
import { ApiError } from "./shared/api/client.ts";
import { Themed } from "./shared/theme/themed.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <Themed>
      <QueryClientProvider client={queries}>
        <Shell />
      </QueryClientProvider>
    </Themed>,
  );
}
void import("./app/install-worker.ts").then(({ installWorker }) => installWorker());

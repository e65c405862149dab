import "./shared/styles/reset.css";
import "./shared/styles/tokens.css";
import "./shared/styles/first.ts";
import "./shared/styles/library.css";
import "@fontsource-variable/figtree";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { AppShell } from "./app/shell.tsx";
import { ApiError, setAnswerLanguage } from "./shared/api/client.ts";
import { getLanguage, onLanguageChange } from "./shared/i18n/i18n.ts";
import { refetch } from "./shared/live/refetch.ts";
import { AppTheme } from "./shared/theme/theme-provider.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

setAnswerLanguage(getLanguage);
// Responses contain messages in the language of the request.
onLanguageChange(() => void refetch(queries));

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <AppTheme>
      <QueryClientProvider client={queries}>
        <AppShell />
      </QueryClientProvider>
    </AppTheme>,
  );
}
void import("./app/service-worker.ts").then(({ registerServiceWorker }) => registerServiceWorker());

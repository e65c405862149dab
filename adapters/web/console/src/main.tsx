import "./shared/styles/first.ts";
import "./shared/i18n/i18n.ts";
import "./console.css";
import { createTheme, type MantineColorsTuple, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { router } from "./app/router.tsx";
import { ApiError } from "./shared/api/client.ts";

// The accent of the sign: a calm petrol, readable on white.
const PARLEY: MantineColorsTuple = [
  "#e9f7f5",
  "#d3ece8",
  "#a6dad3",
  "#74c7bc",
  "#4cb6a9",
  "#2f9f92",
  "#1a877b",
  "#0f766e",
  "#0b5f59",
  "#084a45",
];
const theme = createTheme({
  colors: { parley: PARLEY },
  primaryColor: "parley",
  primaryShade: 7,
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', sans-serif",
  respectReducedMotion: true,
  components: { Badge: { defaultProps: { tt: "none" } } },
});
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
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}
void import("./app/install-worker.ts").then(({ installWorker }) => installWorker());

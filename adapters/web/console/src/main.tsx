import "@mantine/core/styles.css";
import "./i18n.ts";
import "./console.css";
import { createTheme, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client.ts";
import { router } from "./router.tsx";

const theme = createTheme({ primaryColor: "teal", defaultRadius: "md", fontFamily: "system-ui, sans-serif" });
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
if ("serviceWorker" in navigator && location.protocol === "https:") void navigator.serviceWorker.register("/sw.js");

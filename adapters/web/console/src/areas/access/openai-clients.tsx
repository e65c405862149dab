import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { usePublicUrl } from "../../shared/api/use-public-url.ts";
import { CommandLines } from "../../shared/ui/element/command-lines.tsx";
import { useTexts } from "./texts.ts";

const PLUGIN = "openai-api";

/** Settings for clients of OpenAI's API; nothing while the plugin that serves them is off. */
export function OpenAiClients() {
  const { t } = useTexts();
  const publicUrl = usePublicUrl();
  const plugins = useQuery({
    queryKey: ["plugin", "running"],
    queryFn: () => parley.get("/api/plugins"),
    retry: false,
  });
  const isRunning = plugins.data?.items.some(({ id, state }) => id === PLUGIN && state === "running") ?? false;
  if (!isRunning) return null;
  const lines = [`OPENAI_BASE_URL=${publicUrl}/v1`, `OPENAI_API_KEY=${t("yourKey")}`].join("\n");
  return (
    <section aria-labelledby="openai-clients">
      <Title order={2} size="h4" id="openai-clients">
        {t("openaiClients")}
      </Title>
      <Text size="sm" c="dimmed" maw="46rem">
        {t("openaiClientsHint")}
      </Text>
      <CommandLines lines={lines} testId="openai-settings" />
      <Text size="sm" maw="46rem">
        {t("openaiModels")}
      </Text>
    </section>
  );
}

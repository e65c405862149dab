import { Button, Card, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley, type Shapes } from "../../shared/api/client.ts";
import { useHasScope } from "../../shared/api/console.ts";
import textCss from "../../shared/styles/text.module.css";
import { toAddress } from "../../shared/ui/page/address.ts";
import messageCss from "./message/message.module.css";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";

/** Ids and names of provider presets on the models page. */
const SUGGESTED_PRESETS = [
  ["openai", "OpenAI"],
  ["anthropic", "Anthropic"],
  ["gemini", "Gemini"],
  ["deepseek", "DeepSeek"],
  ["ollama", "Ollama"],
] as const;

/** Returns the model that currently answers; undefined while it loads. */
export function useEffectiveModel(): Shapes["AiConfig"]["effective"] | undefined {
  const { data } = useQuery({ queryKey: ["model", "effective"], queryFn: () => parley.get("/api/ai-config") });
  return data?.effective;
}

/** A one-line hint to set up a model; renders nothing once one is set up. */
export function FirstModelHint() {
  const { t } = useTexts();
  const canSetUp = useHasScope("admin");
  if (useEffectiveModel()?.source !== "offline") return null;
  return (
    <div className={`${messageCss.message} ${textCss.meta}`} data-testid="first-model-line">
      {t("firstModel")}
      {canSetUp && (
        <>
          {" · "}
          <Link to="/models" className={textCss.inlineLink}>
            {t("setUp")}
          </Link>
        </>
      )}
    </div>
  );
}

/** A card that links to the setup of common models; renders nothing once a model is set up. */
export function FirstModelCard() {
  const { t } = useTexts();
  if (useEffectiveModel()?.source !== "offline") return null;
  return (
    <Card withBorder className={startCss.firstModel} mt="lg" padding="md" data-testid="first-model">
      <Text fw={600}>{t("firstModel")}</Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t("firstModelHint")}
      </Text>
      <Group gap="xs">
        {SUGGESTED_PRESETS.map(([preset, name]) => (
          <Link key={preset} {...toAddress("/models", { preset })}>
            <Button component="span" size="compact-md" variant="light">
              {name}
            </Button>
          </Link>
        ))}
        <Link to="/models">
          <Button component="span" size="compact-md" variant="subtle">
            {t("otherModel")}
          </Button>
        </Link>
      </Group>
    </Card>
  );
}

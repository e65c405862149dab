import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Channel, channels } from "../../shared/api/channels.ts";
import { parley } from "../../shared/api/client.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { type SearchValues, toAddress } from "../../shared/ui/page/address.ts";
import { FirstModelCard, useEffectiveModel } from "./first-model.tsx";
import { allModelsQuery } from "./models.ts";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";

interface SetupChecklistProps {
  /** Leaves out the card for the first model; its step links there too. */
  readonly isShort?: boolean;
}

/** Completed and next setup steps; renders nothing when all are done. */
export function SetupChecklist({ isShort = false }: SetupChecklistProps) {
  const { t } = useTexts();
  const model = useEffectiveModel();
  const query = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const models = useQuery(allModelsQuery);
  const characters = useQuery({
    queryKey: ["character", "count"],
    queryFn: () => parley.get("/api/characters", { query: { limit: 1 } }),
  });
  if (!model || !query.data || !characters.data) return null;
  // A channel that cannot connect does not complete the step.
  const connected = query.data.items.filter(({ id, enabled, status }) => id !== "web" && enabled && isWorking(status));
  const hasModel = model.source !== "offline";
  const modelName = models.data?.items.find(({ id }) => id === model.model_id)?.name ?? model.model ?? "";
  const hasCharacter = characters.data.total > 0;
  if (hasModel && connected.length > 0 && hasCharacter) return null;
  return (
    <section aria-label={t("setUp")} className={startCss.startPart}>
      <h2>{t("setUp")}</h2>
      <ol className={startCss.steps}>
        <ChecklistStep
          isDone={hasModel}
          title={t("stepModel")}
          hint={hasModel ? modelName : t("stepModelHint")}
          to="/models"
        />
        <ChecklistStep
          isDone={connected.length > 0}
          title={t("stepChannel")}
          hint={connected.length > 0 ? connected.map(({ name }) => name).join(", ") : t("stepChannelHint")}
          to="/channels"
          search={{ add: connected.length === 0 }}
        />
        <ChecklistStep
          isDone={hasCharacter}
          title={t("stepCharacter")}
          hint={hasCharacter ? t("stepCharacters", { count: characters.data.total }) : t("stepCharacterHint")}
          to="/characters"
        />
      </ol>
      {!isShort && <FirstModelCard />}
    </section>
  );
}

function isWorking({ state }: Channel["status"]): boolean {
  return state === "running";
}

interface ChecklistStepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly hint: string;
  readonly to: "/models" | "/channels" | "/characters";
  readonly search?: SearchValues;
}

function ChecklistStep({ isDone, title, hint, to, search = {} }: ChecklistStepProps) {
  const { t } = useTexts();
  return (
    <li data-done={isDone} data-testid="setup-step">
      <span className={startCss.stepSign} role="img" aria-label={t(isDone ? "stepDone" : "stepOpen")}>
        {isDone && <Icon name="check" size={14} />}
      </span>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      <Link {...toAddress(to, search)}>
        <Button component="span" size="compact-sm" variant={isDone ? "subtle" : "light"}>
          {t(isDone ? "look" : "setItUp")}
        </Button>
      </Link>
    </li>
  );
}

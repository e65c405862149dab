import { ActionIcon, Badge, Button, Card, Group, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { type CardAction, CardMenu } from "../../shared/ui/element/card-menu.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { type Health, type Model, models, type TestResult } from "./api.ts";
import { ConnectionTestResult } from "./connection-test-result.tsx";
import { HealthBadge, HealthFacts } from "./health.tsx";
import { useTexts } from "./texts.ts";

interface ModelCardProps {
  readonly model: Model;
  /** True for the chosen model; without one, for the first enabled model of the queue. */
  readonly isInUse: boolean;
  readonly health: Health | undefined;
  readonly edit: () => void;
  /** Moves the model down its queue by a number of places, up by a negative one; undefined when it is the only one. */
  readonly move: ((places: number) => void) | undefined;
  readonly drag: React.HTMLAttributes<HTMLElement>;
}

export function ModelCard({ model, isInUse, health, edit, move, drag }: ModelCardProps) {
  const { t } = useTexts();
  const [trial, setTrial] = useState<TestResult>();
  const { toHandler, isBusy, error } = useAction([["model"]]);
  const test = toHandler(async () => {
    setTrial(undefined);
    setTrial(await models.test(model.id));
  });
  const { id, name, protocol, api_key_masked, has_api_key, api_key_env } = model;
  const protocols = useQuery({ queryKey: ["protocol"], queryFn: models.listProtocols });
  const protocolName = protocols.data?.items.find((one) => one.id === protocol)?.name ?? protocol;
  const use = toHandler(() => models.apply(id));
  const key = has_api_key ? `${t("apiKey")} ${api_key_masked}` : (api_key_env ?? t("noKey"));
  const actions: readonly CardAction[] = [
    ...(isInUse
      ? []
      : [{ label: t("use"), icon: "check", obstacle: model.enabled ? undefined : t("useOff"), run: use } as const]),
    { label: t("edit"), icon: "edit", run: edit },
    { label: t("clone"), icon: "copy", run: toHandler(() => models.clone(id)) },
    {
      label: t("remove"),
      icon: "trash",
      confirm: t("removeModel"),
      run: toHandler(() => models.remove(id), { throws: true }),
    },
  ];
  return (
    <Card withBorder padding="sm" data-testid="model-card" {...drag}>
      <Group justify="space-between" gap="xs">
        {move && <DragHandle name={name} move={move} />}
        <div style={{ minWidth: 0, flex: "1 1 14rem" }}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {isInUse && <Badge>{t("active")}</Badge>}
            {health && <HealthBadge health={health} />}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {[model.model, protocolName, model.base_url, key].filter(Boolean).join(" · ")}
          </Text>
          {health && <HealthFacts health={health} />}
        </div>
        <Group gap={4}>
          <Switch
            size="sm"
            mr="xs"
            checked={model.enabled}
            onChange={toHandler(() => models.toggle(id))}
            aria-label={`${t("enabled")}: ${name}`}
          />
          {health?.state === "cooling" && (
            <Button size="compact-sm" variant="light" onClick={toHandler(() => models.reset(id))}>
              {t("tryNow")}
            </Button>
          )}
          <Button size="compact-sm" variant="light" onClick={test} loading={isBusy} data-testid="model-test">
            {t("test")}
          </Button>
          <CardMenu cardName={name} actions={actions} />
        </Group>
      </Group>
      {trial && <ConnectionTestResult trial={trial} />}
      <Failure error={error} />
    </Card>
  );
}

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The drag handle of a card; arrow keys move the model too. */
function DragHandle({ name, move }: { readonly name: string; readonly move: (places: number) => void }) {
  const { t } = useTexts();
  const onKeyDown = (event: React.KeyboardEvent) => {
    const places = ARROW_STEPS[event.key];
    if (places === undefined) return;
    event.preventDefault();
    move(places);
  };
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      style={{ cursor: "grab" }}
      aria-label={t("moveModel", { name })}
      title={t("moveHint")}
      onKeyDown={onKeyDown}
      data-testid="model-handle"
    >
      <Icon name="drag" size={18} />
    </ActionIcon>
  );
}

import { Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLive } from "../../shared/live/live-provider.tsx";
import { refetch } from "../../shared/live/refetch.ts";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { type Model, models, type Purpose } from "./api.ts";
import { ModelCard } from "./model-card.tsx";
import { useTexts } from "./texts.ts";

/** Poll interval during a cooldown, whose end sends no event. */
const COOLDOWN_POLL_MS = 5_000;

interface QueueProps {
  readonly purpose: Purpose["id"];
  /** Models of this purpose, in any order. */
  readonly all: readonly Model[];
  readonly edit: (model: Model) => void;
  readonly add: () => void;
}

/** The models of a purpose in the order they are tried; dragging a model, or its arrow keys, changes the order. */
export function ModelQueue({ purpose, all, edit, add }: QueueProps) {
  const { t } = useTexts();
  useFailoverRefresh();
  const queue = useQuery({
    queryKey: ["model", "queue", purpose],
    queryFn: () => models.getQueue(purpose),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ health }) => health.state === "cooling") ? COOLDOWN_POLL_MS : false,
  });
  const [dragged, setDragged] = useState<string>();
  const { toHandler, error } = useAction([["model"]]);
  if (all.length === 0) {
    const hint = purpose === "chat" ? { hint: t("noModels") } : {};
    return <Empty icon="model" title={t("noneOfPurpose")} {...hint} action={{ label: t("addModel"), run: add }} />;
  }
  const storeOrder = (order: readonly string[]) =>
    toHandler(() =>
      models.reorder(
        purpose,
        order.map((id, priority) => ({ id, priority })),
      ),
    )();
  return (
    <Loaded query={queue}>
      {({ items }) => {
        // Without a chosen model the first enabled one is used.
        const enabled = items.filter((one) => one.enabled);
        const inUse = (enabled.find((one) => one.is_active) ?? enabled[0])?.model_id;
        const order = items.map(({ model_id }) => model_id);
        const moveTo = (id: string, to: number) => {
          const rest = order.filter((one) => one !== id);
          const next = rest.toSpliced(Math.max(0, to), 0, id);
          if (next.some((one, index) => one !== order[index])) void storeOrder(next);
        };
        return (
          <Stack gap="xs">
            {items.length > 1 && (
              <Text size="sm" c="dimmed">
                {t("queueHint")}
              </Text>
            )}
            {items.map(({ model_id, health }, index) => {
              const model = all.find(({ id }) => id === model_id);
              if (!model) return null;
              const isMovable = items.length > 1;
              return (
                <ModelCard
                  key={model_id}
                  model={model}
                  isInUse={model_id === inUse}
                  health={health}
                  edit={() => edit(model)}
                  move={isMovable ? (steps) => moveTo(model_id, index + steps) : undefined}
                  drag={
                    isMovable
                      ? {
                          draggable: true,
                          onDragStart: () => setDragged(model_id),
                          onDragOver: (event) => dragged && event.preventDefault(),
                          onDrop: (event) => {
                            event.preventDefault();
                            if (dragged) moveTo(dragged, index);
                            setDragged(undefined);
                          },
                          onDragEnd: () => setDragged(undefined),
                        }
                      : {}
                  }
                />
              );
            })}
            <Failure error={error} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Refetches the models after a failover. */
function useFailoverRefresh(): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live?.subscribe(({ type }) => {
        if (type === "model_failover") void refetch(queries, ["model"]);
      }),
    [live, queries],
  );
}

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Icon } from "../../shared/ui/icon.tsx";
import type { Action, Step } from "./api.ts";
import { StepForm } from "./step-form.tsx";
import { useTexts } from "./texts.ts";

const ACTIONS = ["ai", "tool", "message", "delay"] as const satisfies readonly Action[];

interface StepsProps {
  readonly steps: readonly Step[];
  readonly put: (steps: readonly Step[]) => void;
}

const STARTS: Readonly<Record<Action, Step["input"]>> = {
  ai: { prompt: "" },
  tool: { name: "", arguments: {} },
  message: { content: "" },
  delay: { seconds: 60 },
};

/** The steps of a workflow, one after another, and what can be added to them. */
export function Steps({ steps, put }: StepsProps) {
  const { t } = useTexts();
  const add = (action: Action) => {
    const ids = new Set(steps.map(({ id }) => id));
    let number = steps.length + 1;
    while (ids.has(`${action}-${number}`)) number += 1;
    const step: Step = {
      id: `${action}-${number}`,
      action,
      input: STARTS[action],
      retry: 0,
      timeout_s: 60,
      on_error: "stop",
    };
    put([...steps, step]);
  };
  const move = (from: number, to: number) => {
    const next = [...steps];
    const [step] = next.splice(from, 1);
    if (step) next.splice(to, 0, step);
    put(next);
  };
  return (
    <section aria-label={t("steps")}>
      <Title order={2} size="h4" mt="lg" mb="xs">
        {t("steps")}
      </Title>
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("noSteps")}
        </Text>
      )}
      <Stack gap="sm">
        {steps.map((step, index) => (
          <StepForm
            key={index}
            step={step}
            name={`steps.${index}`}
            before={steps.slice(0, index).flatMap(({ output_var }) => output_var ?? [])}
            put={(next) => put(steps.map((one, at) => (at === index ? next : one)))}
            remove={() => put(steps.filter((_, at) => at !== index))}
            {...(index > 0 && { up: () => move(index, index - 1) })}
            {...(index < steps.length - 1 && { down: () => move(index, index + 1) })}
          />
        ))}
      </Stack>
      <Group gap="xs" mt="sm" aria-label={t("addStep")} role="group">
        {ACTIONS.map((action) => (
          <Button
            key={action}
            size="compact-sm"
            variant="light"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => add(action)}
            data-testid={`add-${action}`}
          >
            {t(`action_${action}`)}
          </Button>
        ))}
      </Group>
    </section>
  );
}

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import type { Action, Step } from "../api.ts";
import { useTexts } from "../texts.ts";
import { StepForm } from "./step-form.tsx";

const ACTIONS = ["ai", "tool", "message", "choice", "delay"] as const satisfies readonly Action[];

interface StepListProps {
  readonly steps: readonly Step[];
  readonly onChange: (steps: readonly Step[]) => void;
}

const DEFAULT_INPUTS: Readonly<Record<Action, Step["input"]>> = {
  ai: { prompt: "" },
  tool: { name: "", arguments: {} },
  message: { content: "" },
  choice: { content: "", choices: [], seconds: 86_400 },
  delay: { seconds: 60 },
};

/** The steps of a workflow in order, and a menu to add more. */
export function StepList({ steps, onChange }: StepListProps) {
  const { t } = useTexts();
  const add = (action: Action) => {
    const ids = new Set(steps.map(({ id }) => id));
    let number = steps.length + 1;
    while (ids.has(`${action}-${number}`)) number += 1;
    const step: Step = {
      id: `${action}-${number}`,
      action,
      input: DEFAULT_INPUTS[action],
      retry: 0,
      timeout_s: 60,
      on_error: "stop",
    };
    onChange([...steps, step]);
  };
  const move = (from: number, to: number) => {
    const next = [...steps];
    const [step] = next.splice(from, 1);
    if (step) next.splice(to, 0, step);
    onChange(next);
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
            previousResults={steps.slice(0, index).flatMap(({ output_var }) => output_var ?? [])}
            onChange={(next) => onChange(steps.map((one, at) => (at === index ? next : one)))}
            remove={() => onChange(steps.filter((_, at) => at !== index))}
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

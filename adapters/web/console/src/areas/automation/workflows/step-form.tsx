import { Group, Paper, Stack, Text } from "@mantine/core";
import { type Clearable, omitEmpty } from "../../../shared/omit-empty.ts";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { ComboboxField, NumberField, SelectField, TextField } from "../../../shared/ui/form/fields.tsx";
import type { Step } from "../api.ts";
import { useTexts } from "../texts.ts";
import { StepFields } from "./step-fields.tsx";

const OPTIONAL_FIELDS = ["output_var", "condition"];
const OPERATORS = ["eq", "ne", "contains", "empty", "not_empty", "gt", "lt"] as const;

interface StepFormProps {
  readonly step: Step;
  /** The name of the step in the request: `steps.0`. */
  readonly name: string;
  /** Names of earlier steps' results. */
  readonly previousResults: readonly string[];
  readonly onChange: (step: Step) => void;
  readonly remove: () => void;
  readonly up?: () => void;
  readonly down?: () => void;
}

/** The form of one step: action, input, condition and error handling. */
export function StepForm({ step, name, previousResults, onChange, remove, up, down }: StepFormProps) {
  const { t } = useTexts();
  const names = ["content", "trigger", ...previousResults];
  const set = (patch: Partial<Clearable<Step>>) => onChange(omitEmpty<Step>({ ...step, ...patch }, OPTIONAL_FIELDS));
  return (
    <Paper withBorder p="sm" radius="md" data-testid="step">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text fw={600}>{t(`action_${step.action}`)}</Text>
        <Group gap={2} wrap="nowrap">
          <IconButton icon="sortUp" label={t("moveUp")} onClick={up ?? (() => {})} isDisabled={!up} />
          <IconButton icon="sortDown" label={t("moveDown")} onClick={down ?? (() => {})} isDisabled={!down} />
          <IconButton icon="trash" label={t("remove")} onClick={remove} />
        </Group>
      </Group>
      <Stack gap="xs">
        <StepFields input={step.input} name={`${name}.input`} set={(input) => set({ input })} />
        <Group grow align="start">
          <TextField
            name={`${name}.id`}
            label={t("stepName")}
            maxLength={64}
            value={step.id}
            onChange={(id) => set({ id })}
          />
          {step.action !== "delay" && (
            <TextField
              name={`${name}.output_var`}
              label={t("output")}
              maxLength={64}
              value={step.output_var ?? ""}
              onChange={(output_var) => set({ output_var })}
            />
          )}
        </Group>
        <ConditionFields step={step} name={name} names={names} set={set} />
        <details>
          <summary>
            <Text span size="sm">
              {t("more")}
            </Text>
          </summary>
          <Group grow align="start" mt="xs">
            <NumberField
              name={`${name}.retry`}
              label={t("retry")}
              min={0}
              max={5}
              value={step.retry}
              onChange={(retry) => set({ retry: retry || 0 })}
            />
            <NumberField
              name={`${name}.timeout_s`}
              label={t("timeout")}
              min={1}
              max={600}
              value={step.timeout_s}
              onChange={(seconds) => set({ timeout_s: seconds || 60 })}
            />
            <SelectField
              name={`${name}.on_error`}
              label={t("onError")}
              value={step.on_error}
              onChange={(on_error) => set({ on_error })}
              data={(["stop", "continue"] as const).map((value) => ({ value, label: t(`error_${value}`) }))}
            />
          </Group>
        </details>
        {names.length > 0 && step.action !== "delay" && (
          <Text size="xs" c="dimmed">
            {names.map((one) => `{{${one}}}`).join("  ")}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

interface ConditionFieldsProps {
  readonly step: Step;
  readonly name: string;
  readonly names: readonly string[];
  readonly set: (patch: Partial<Clearable<Step>>) => void;
}

function ConditionFields({ step, name, names, set }: ConditionFieldsProps) {
  const { t } = useTexts();
  const { condition } = step;
  const update = (patch: Partial<NonNullable<Step["condition"]>>) =>
    set({
      condition: omitEmpty({
        var: condition?.var ?? "content",
        op: condition?.op ?? "not_empty",
        ...condition,
        ...patch,
      }),
    });
  const isValued = condition && condition.op !== "empty" && condition.op !== "not_empty";
  return (
    <Group grow align="start">
      <ComboboxField
        name={`${name}.condition.var`}
        label={t("onlyIf")}
        placeholder={t("always")}
        value={condition?.var ?? null}
        onChange={(chosen) => (chosen === null ? set({ condition: undefined }) : update({ var: chosen }))}
        data={[...new Set([...names, ...(condition ? [condition.var] : [])])]}
      />
      {condition && (
        <SelectField
          name={`${name}.condition.op`}
          label={" "}
          aria-label={t("onlyIf")}
          value={condition.op}
          onChange={(op) => update({ op })}
          data={OPERATORS.map((value) => ({ value, label: t(`op_${value}`) }))}
        />
      )}
      {isValued && (
        <TextField
          name={`${name}.condition.value`}
          label={t("value")}
          value={String(condition.value ?? "")}
          onChange={(value) => update({ value })}
        />
      )}
    </Group>
  );
}

import { Group, JsonInput, NumberInput, Paper, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ToolPicker, ToolsPicker } from "../../shared/tools/tool-picker.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import type { Step } from "./api.ts";
import { without } from "./shared.tsx";
import { useTexts } from "./texts.ts";

const OPERATORS = ["eq", "ne", "contains", "empty", "not_empty", "gt", "lt"] as const;
const TARGETS = ["session", "imA_group", "imA_private"] as const;

interface StepFormProps {
  readonly step: Step;
  /** Names that earlier steps give. */
  readonly before: readonly string[];
  readonly put: (step: Step) => void;
  readonly remove: () => void;
  readonly up?: () => void;
  readonly down?: () => void;
}

/** One step: what it does, what it is given, when it is left out, and what happens when it fails. */
export function StepForm({ step, before, put, remove, up, down }: StepFormProps) {
  const { t } = useTexts();
  const names = ["content", "trigger", ...before];
  const set = (patch: Partial<Step>) => put(without({ ...step, ...patch }));
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
        <Inputs step={step} set={(input) => set({ input: without({ ...step.input, ...input }) })} />
        <Group grow align="start">
          <TextInput
            label={t("stepName")}
            maxLength={64}
            value={step.id}
            onChange={({ currentTarget }) => set({ id: currentTarget.value })}
          />
          {step.action !== "delay" && (
            <TextInput
              label={t("output")}
              maxLength={64}
              value={step.output_var ?? ""}
              onChange={({ currentTarget }) => set({ output_var: currentTarget.value })}
            />
          )}
        </Group>
        <ConditionFields step={step} names={names} set={set} />
        <details>
          <summary>
            <Text span size="sm">
              {t("more")}
            </Text>
          </summary>
          <Group grow align="start" mt="xs">
            <NumberInput
              label={t("retry")}
              min={0}
              max={5}
              value={step.retry}
              onChange={(retry) => set({ retry: Number(retry) || 0 })}
            />
            <NumberInput
              label={t("timeout")}
              min={1}
              max={600}
              value={step.timeout_s}
              onChange={(seconds) => set({ timeout_s: Number(seconds) || 60 })}
            />
            <Select
              label={t("onError")}
              allowDeselect={false}
              value={step.on_error}
              onChange={(value) => set({ on_error: value as Step["on_error"] })}
              data={(["stop", "continue"] as const).map((value) => ({ value, label: t(`error_${value}`) }))}
            />
          </Group>
        </details>
        {names.length > 0 && step.action !== "delay" && (
          <Text size="xs" c="dimmed">
            {names.map((name) => `{{${name}}}`).join("  ")}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

interface InputsProps {
  readonly step: Step;
  readonly set: (input: Step["input"]) => void;
}

const textIn = (input: Step["input"], name: string) => (typeof input[name] === "string" ? input[name] : "");

function Inputs({ step: { action, input }, set }: InputsProps) {
  const { t } = useTexts();
  const area = (name: string, label: string) => (
    <Textarea
      autosize
      minRows={2}
      maxRows={12}
      label={label}
      value={textIn(input, name)}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  );
  switch (action) {
    case "ai":
      return (
        <>
          {area("prompt", t("prompt"))}
          <TextInput
            label={t("system")}
            value={textIn(input, "system")}
            onChange={({ currentTarget }) => set({ system: currentTarget.value })}
          />
          <ToolsPicker label={t("tools")} value={(input.tools ?? []) as string[]} put={(tools) => set({ tools })} />
        </>
      );
    case "tool":
      return <ToolInputs input={input} set={set} />;
    case "message":
      return (
        <>
          {area("content", t("content"))}
          <Group grow align="start">
            <Select
              label={t("target")}
              clearable
              placeholder={t("targetOwn")}
              value={textIn(input, "target_type") || null}
              onChange={(value) => set({ target_type: value ?? "", ...(value === null && { target_id: "" }) })}
              data={TARGETS.map((value) => ({ value, label: t(`target_${value}`) }))}
            />
            {textIn(input, "target_type") !== "" && (
              <TextInput
                label={t("targetId")}
                value={textIn(input, "target_id")}
                onChange={({ currentTarget }) => set({ target_id: currentTarget.value })}
              />
            )}
          </Group>
        </>
      );
    case "delay":
      return (
        <NumberInput
          label={t("seconds")}
          min={1}
          max={86_400}
          value={Number(input.seconds ?? 60)}
          onChange={(seconds) => set({ seconds: Number(seconds) || 1 })}
        />
      );
  }
}

function ToolInputs({ input, set }: Pick<InputsProps, "set"> & { readonly input: Step["input"] }) {
  const { t } = useTexts();
  const [written, setTyped] = useState(() => JSON.stringify(input.arguments ?? {}, null, 2));
  // The step may be another one by now: steps move.
  const own = objectOf(written);
  const isStale = own !== undefined && JSON.stringify(own) !== JSON.stringify(input.arguments ?? {});
  const typed = isStale ? JSON.stringify(input.arguments ?? {}, null, 2) : written;
  const write = (text: string) => {
    setTyped(text);
    const value = objectOf(text);
    if (value) set({ arguments: value });
  };
  return (
    <>
      <ToolPicker label={t("tool")} value={textIn(input, "name")} put={(name) => set({ name })} />
      <JsonInput
        autosize
        minRows={2}
        maxRows={12}
        label={t("arguments")}
        value={typed}
        onChange={write}
        error={objectOf(typed) ? undefined : t("notJson")}
      />
    </>
  );
}

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface ConditionProps {
  readonly step: Step;
  readonly names: readonly string[];
  readonly set: (patch: Partial<Step>) => void;
}

function ConditionFields({ step, names, set }: ConditionProps) {
  const { t } = useTexts();
  const { condition } = step;
  const put = (patch: Partial<NonNullable<Step["condition"]>>) =>
    set({
      condition: without({
        var: condition?.var ?? "content",
        op: condition?.op ?? "not_empty",
        ...condition,
        ...patch,
      }),
    });
  const isValued = condition && condition.op !== "empty" && condition.op !== "not_empty";
  return (
    <Group grow align="start">
      <Select
        label={t("onlyIf")}
        clearable
        searchable
        placeholder={t("always")}
        value={condition?.var ?? null}
        onChange={(name) => (name === null ? set({ condition: undefined as never }) : put({ var: name }))}
        data={[...new Set([...names, ...(condition ? [condition.var] : [])])]}
      />
      {condition && (
        <Select
          label={" "}
          aria-label={t("onlyIf")}
          allowDeselect={false}
          value={condition.op}
          onChange={(op) => put({ op: op ?? "eq" })}
          data={OPERATORS.map((value) => ({ value, label: t(`op_${value}`) }))}
        />
      )}
      {isValued && (
        <TextInput
          label={t("value")}
          value={String(condition.value ?? "")}
          onChange={({ currentTarget }) => put({ value: currentTarget.value })}
        />
      )}
    </Group>
  );
}

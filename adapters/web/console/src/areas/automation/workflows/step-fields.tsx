import { Group, JsonInput } from "@mantine/core";
import { useState } from "react";
import { useJsonError } from "../../../shared/forms/use-json-error.ts";
import { ToolPicker, ToolsPicker } from "../../../shared/tools/tool-picker.tsx";
import { ConversationField } from "../../../shared/ui/form/conversation-field.tsx";
import { NumberField, SelectField, TextareaField, TextField } from "../../../shared/ui/form/fields.tsx";
import { FormControl } from "../../../shared/ui/form/form.tsx";
import type { Step } from "../api.ts";
import { useTexts } from "../texts.ts";

const TARGET_TYPES = ["session", "imA_group", "imA_private"] as const;

interface StepFieldsProps {
  readonly step: Step;
  /** The name of its input in the request: `steps.0.input`. */
  readonly name: string;
  readonly set: (input: Step["input"]) => void;
}

const readText = (input: Step["input"], field: string) => (typeof input[field] === "string" ? input[field] : "");

/** The input fields of a step, by its action. */
export function StepFields({ step: { action, input }, name, set }: StepFieldsProps) {
  const { t } = useTexts();
  const area = (field: string, label: string) => (
    <TextareaField
      name={`${name}.${field}`}
      label={label}
      value={readText(input, field)}
      onChange={(value) => set({ [field]: value })}
    />
  );
  switch (action) {
    case "ai":
      return (
        <>
          {area("prompt", t("prompt"))}
          <TextField
            name={`${name}.system`}
            label={t("system")}
            value={readText(input, "system")}
            onChange={(system) => set({ system })}
          />
          <FormControl name={`${name}.tools`}>
            <ToolsPicker
              label={t("tools")}
              value={(input.tools ?? []) as string[]}
              onChange={(tools) => set({ tools })}
            />
          </FormControl>
        </>
      );
    case "tool":
      return <ToolFields input={input} name={name} set={set} />;
    case "message":
      return (
        <>
          {area("content", t("content"))}
          <Group grow align="start">
            <SelectField
              name={`${name}.target_type`}
              label={t("target")}
              value={readText(input, "target_type")}
              onChange={(value) => set({ target_type: value, target_id: "" })}
              data={[
                { value: "", label: t("targetOwn") },
                ...TARGET_TYPES.map((value) => ({ value, label: t(`target_${value}`) })),
              ]}
            />
            {readText(input, "target_type") === "session" && (
              <ConversationField
                name={`${name}.target_id`}
                value={readText(input, "target_id")}
                onChange={(target_id) => set({ target_id })}
              />
            )}
            {!["", "session"].includes(readText(input, "target_type")) && (
              <TextField
                name={`${name}.target_id`}
                label={t(readText(input, "target_type") === "imA_group" ? "groupNumber" : "accountNumber")}
                value={readText(input, "target_id")}
                onChange={(target_id) => set({ target_id })}
              />
            )}
          </Group>
        </>
      );
    case "delay":
      return (
        <NumberField
          name={`${name}.seconds`}
          label={t("seconds")}
          min={1}
          max={86_400}
          value={Number(input.seconds ?? 60)}
          onChange={(seconds) => set({ seconds: seconds || 1 })}
        />
      );
  }
}

function ToolFields({ input, name, set }: Pick<StepFieldsProps, "name" | "set"> & { readonly input: Step["input"] }) {
  const { t } = useTexts();
  const fault = useJsonError();
  const [written, setTyped] = useState(() => JSON.stringify(input.arguments ?? {}, null, 2));
  // The step may be another one by now: steps move.
  const own = parseObject(written);
  const isStale = own !== undefined && JSON.stringify(own) !== JSON.stringify(input.arguments ?? {});
  const typed = isStale ? JSON.stringify(input.arguments ?? {}, null, 2) : written;
  const write = (text: string) => {
    setTyped(text);
    const value = parseObject(text);
    if (value) set({ arguments: value });
  };
  return (
    <>
      <FormControl name={`${name}.name`}>
        <ToolPicker label={t("tool")} value={readText(input, "name")} onChange={(tool) => set({ name: tool })} />
      </FormControl>
      <FormControl name={`${name}.arguments`}>
        <JsonInput
          autosize
          minRows={2}
          maxRows={12}
          label={t("arguments")}
          value={typed}
          onChange={write}
          error={parseObject(typed) ? undefined : (fault(typed) ?? t("notJson"))}
        />
      </FormControl>
    </>
  );
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

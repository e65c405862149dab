import { Group, JsonInput } from "@mantine/core";
import { useState } from "react";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import { ToolPicker, ToolsPicker } from "../../shared/tools/tool-picker.tsx";
import { ConversationField } from "../../shared/ui/conversation-field.tsx";
import { ChoiceField, LongField, NumberField, TextField } from "../../shared/ui/fields.tsx";
import { At } from "../../shared/ui/form.tsx";
import type { Step } from "./api.ts";
import { useTexts } from "./texts.ts";

const TARGETS = ["session", "imA_group", "imA_private"] as const;

interface InputsProps {
  readonly step: Step;
  /** As its input is called in what is sent: `steps.0.input`. */
  readonly name: string;
  readonly set: (input: Step["input"]) => void;
}

const textIn = (input: Step["input"], field: string) => (typeof input[field] === "string" ? input[field] : "");

/** What a step is given, by what it does. */
export function Inputs({ step: { action, input }, name, set }: InputsProps) {
  const { t } = useTexts();
  const area = (field: string, label: string) => (
    <LongField
      name={`${name}.${field}`}
      label={label}
      value={textIn(input, field)}
      put={(value) => set({ [field]: value })}
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
            value={textIn(input, "system")}
            put={(system) => set({ system })}
          />
          <At name={`${name}.tools`}>
            <ToolsPicker label={t("tools")} value={(input.tools ?? []) as string[]} put={(tools) => set({ tools })} />
          </At>
        </>
      );
    case "tool":
      return <ToolInputs input={input} name={name} set={set} />;
    case "message":
      return (
        <>
          {area("content", t("content"))}
          <Group grow align="start">
            <ChoiceField
              name={`${name}.target_type`}
              label={t("target")}
              value={textIn(input, "target_type")}
              put={(value) => set({ target_type: value, target_id: "" })}
              data={[
                { value: "", label: t("targetOwn") },
                ...TARGETS.map((value) => ({ value, label: t(`target_${value}`) })),
              ]}
            />
            {textIn(input, "target_type") === "session" && (
              <ConversationField
                name={`${name}.target_id`}
                value={textIn(input, "target_id")}
                put={(target_id) => set({ target_id })}
              />
            )}
            {!["", "session"].includes(textIn(input, "target_type")) && (
              <TextField
                name={`${name}.target_id`}
                label={t(textIn(input, "target_type") === "imA_group" ? "groupNumber" : "accountNumber")}
                value={textIn(input, "target_id")}
                put={(target_id) => set({ target_id })}
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
          put={(seconds) => set({ seconds: seconds || 1 })}
        />
      );
  }
}

function ToolInputs({ input, name, set }: Pick<InputsProps, "name" | "set"> & { readonly input: Step["input"] }) {
  const { t } = useTexts();
  const fault = useJsonFault();
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
      <At name={`${name}.name`}>
        <ToolPicker label={t("tool")} value={textIn(input, "name")} put={(tool) => set({ name: tool })} />
      </At>
      <At name={`${name}.arguments`}>
        <JsonInput
          autosize
          minRows={2}
          maxRows={12}
          label={t("arguments")}
          value={typed}
          onChange={write}
          error={objectOf(typed) ? undefined : (fault(typed) ?? t("notJson"))}
        />
      </At>
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

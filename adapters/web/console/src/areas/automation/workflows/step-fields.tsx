import { Group, JsonInput } from "@mantine/core";
import { useState } from "react";
import { useJsonError } from "../../../shared/forms/use-json-error.ts";
import { parseJsonObject } from "../../../shared/json-object.ts";
import { omitEmpty } from "../../../shared/omit-empty.ts";
import { ToolPicker, ToolsPicker } from "../../../shared/tools/tool-picker.tsx";
import { ConversationField } from "../../../shared/ui/form/conversation-field.tsx";
import { NumberField, SelectField, TagsField, TextareaField, TextField } from "../../../shared/ui/form/fields.tsx";
import { FormControl } from "../../../shared/ui/form/form.tsx";
import type { Step } from "../api.ts";
import { useTexts } from "../texts.ts";

const TARGET_TYPES = ["session", "imA_group", "imA_private"] as const;

type Input = Step["input"];
type InputWith<Field extends string> = Extract<Input, { readonly [Key in Field]: unknown }>;

interface FieldsProps<Of> {
  readonly input: Of;
  /** The name of the input in the request: `steps.0.input`. */
  readonly name: string;
  readonly set: (input: Of) => void;
}

/** The input fields of a step; each action has its own. */
export function StepFields({ input, name, set }: FieldsProps<Input>) {
  if ("prompt" in input) return <PromptFields input={input} name={name} set={set} />;
  if ("name" in input) return <ToolFields input={input} name={name} set={set} />;
  if ("choices" in input) return <ChoiceFields input={input} name={name} set={set} />;
  if ("content" in input) return <MessageFields input={input} name={name} set={set} />;
  return <DelayField input={input} name={name} set={set} />;
}

function PromptFields({ input, name, set }: FieldsProps<InputWith<"prompt">>) {
  const { t } = useTexts();
  return (
    <>
      <TextareaField
        name={`${name}.prompt`}
        label={t("prompt")}
        value={input.prompt}
        onChange={(prompt) => set({ ...input, prompt })}
      />
      <TextField
        name={`${name}.system`}
        label={t("system")}
        value={input.system ?? ""}
        onChange={(system) => set(omitEmpty({ ...input, system }, ["system"]))}
      />
      <FormControl name={`${name}.tools`}>
        <ToolsPicker label={t("tools")} value={input.tools ?? []} onChange={(tools) => set({ ...input, tools })} />
      </FormControl>
    </>
  );
}

function ChoiceFields({ input, name, set }: FieldsProps<InputWith<"choices">>) {
  const { t } = useTexts();
  const { choices: given, seconds: limit } = input;
  return (
    <>
      <MessageFields input={input} name={name} set={(message) => set({ ...message, choices: given, seconds: limit })} />
      <TagsField
        name={`${name}.choices`}
        label={t("choices")}
        description={t("choicesHint")}
        maxTags={8}
        value={input.choices}
        onChange={(choices) => set({ ...input, choices })}
      />
      <NumberField
        name={`${name}.seconds`}
        label={t("choiceSeconds")}
        min={60}
        max={604_800}
        value={input.seconds ?? 86_400}
        onChange={(seconds) => set({ ...input, seconds: seconds || 86_400 })}
      />
    </>
  );
}

function MessageFields({ input, name, set }: FieldsProps<InputWith<"content">>) {
  const { t } = useTexts();
  const { content, target_type: type = "none", target_id = "" } = input;
  const setTarget = (id: string) => set(omitEmpty({ ...input, target_id: id }, ["target_id"]));
  return (
    <>
      <TextareaField
        name={`${name}.content`}
        label={t("content")}
        value={content}
        onChange={(typedText) => set({ ...input, content: typedText })}
      />
      <Group grow align="start">
        <SelectField
          name={`${name}.target_type`}
          label={t("target")}
          value={type}
          onChange={(targetType) => set({ content, ...(targetType !== "none" && { target_type: targetType }) })}
          data={[
            { value: "none", label: t("targetOwn") },
            ...TARGET_TYPES.map((value) => ({ value, label: t(`target_${value}`) })),
          ]}
        />
        {type === "session" && <ConversationField name={`${name}.target_id`} value={target_id} onChange={setTarget} />}
        {(type === "imA_group" || type === "imA_private") && (
          <TextField
            name={`${name}.target_id`}
            label={t(type === "imA_group" ? "groupNumber" : "accountNumber")}
            value={target_id}
            onChange={setTarget}
          />
        )}
      </Group>
    </>
  );
}

function DelayField({ input, name, set }: FieldsProps<InputWith<"seconds">>) {
  const { t } = useTexts();
  return (
    <NumberField
      name={`${name}.seconds`}
      label={t("seconds")}
      min={1}
      max={86_400}
      value={input.seconds}
      onChange={(seconds) => set({ seconds: seconds || 1 })}
    />
  );
}

function ToolFields({ input, name, set }: FieldsProps<InputWith<"name">>) {
  const { t } = useTexts();
  const findError = useJsonError();
  const stored = JSON.stringify(input.arguments, null, 2);
  const [typedText, setTyped] = useState(stored);
  // Steps can be reordered, so this may be another step than the one typed in.
  const typedValue = parseJsonObject(typedText);
  const isStale = typedValue !== undefined && JSON.stringify(typedValue, null, 2) !== stored;
  const text = isStale ? stored : typedText;
  const handleType = (next: string) => {
    setTyped(next);
    const value = parseJsonObject(next);
    if (value) set({ ...input, arguments: value });
  };
  return (
    <>
      <FormControl name={`${name}.name`}>
        <ToolPicker label={t("tool")} value={input.name} onChange={(tool) => set({ ...input, name: tool })} />
      </FormControl>
      <FormControl name={`${name}.arguments`}>
        <JsonInput
          autosize
          minRows={2}
          maxRows={12}
          label={t("arguments")}
          value={text}
          onChange={handleType}
          error={parseJsonObject(text) ? undefined : (findError(text) ?? t("notJson"))}
        />
      </FormControl>
    </>
  );
}

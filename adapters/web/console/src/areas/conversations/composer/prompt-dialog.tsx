import { Button, Group, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import { fillVariables, getBuiltInValues, type PromptVariable, parseVariables } from "./prompt-variables.ts";

const CLIPBOARD_KEY = "clipboard";

interface PromptDialogProps {
  readonly prompt: { readonly id: string; readonly name: string };
  readonly close: () => void;
  /** Called with the prompt text after its variables are filled. */
  readonly onInsert: (text: string) => void;
}

/** Asks for the variables of a saved prompt; a prompt without variables to fill is inserted at once. */
export function PromptDialog({ prompt: { id, name }, close, onInsert }: PromptDialogProps) {
  const { language } = useTexts();
  const prompt = useQuery({
    queryKey: ["saved_prompt", "whole", id],
    queryFn: () => parley.get("/api/prompts/{prompt_id}", { path: { prompt_id: id } }),
  });
  const content = prompt.data?.content;
  const builtIns = getBuiltInValues(new Date(), language);
  const openVariables = parseVariables(content ?? "").filter(({ key }) => !Object.hasOwn(builtIns, key));
  const isPlain = content !== undefined && openVariables.length === 0;
  const insert = (values: Readonly<Record<string, string>>) => {
    onInsert(fillVariables(content ?? "", { ...builtIns, ...values }));
    close();
  };
  useEffect(() => {
    if (isPlain) insert({});
  }, [isPlain]);
  if (isPlain) return null;
  return (
    <Dialog opened onClose={close} title={name}>
      <Loaded query={prompt}>{() => <VariableForm openVariables={openVariables} onDone={insert} />}</Loaded>
    </Dialog>
  );
}

interface VariableFormProps {
  readonly openVariables: readonly PromptVariable[];
  readonly onDone: (values: Readonly<Record<string, string>>) => void;
}

function VariableForm({ openVariables, onDone }: VariableFormProps) {
  const { t } = useTexts();
  const [values, setValues] = useState(() =>
    Object.fromEntries(openVariables.map(({ key, options }) => [key, options[0] ?? ""])),
  );
  const update = (key: string, value: string) => setValues((now) => ({ ...now, [key]: value }));
  const needsClipboard = openVariables.some(({ key }) => key === CLIPBOARD_KEY);
  useEffect(() => {
    // Without permission, or without TLS, where there is no clipboard, the user pastes into the empty field.
    if (!needsClipboard || navigator.clipboard === undefined) return;
    let isCancelled = false;
    navigator.clipboard.readText().then(
      (text) => isCancelled || update(CLIPBOARD_KEY, text),
      () => {},
    );
    return () => {
      isCancelled = true;
    };
  }, [needsClipboard]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(values);
      }}
    >
      <Stack gap="sm">
        {openVariables.map((one, index) => (
          <VariableField
            key={one.key}
            variable={one}
            label={one.key === CLIPBOARD_KEY ? t("clipboard") : one.name}
            value={values[one.key] ?? ""}
            hasFocus={index === 0}
            onChange={(value) => update(one.key, value)}
          />
        ))}
      </Stack>
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" data-testid="use-prompt">
          {t("usePrompt")}
        </Button>
      </Group>
    </form>
  );
}

interface VariableFieldProps {
  readonly variable: PromptVariable;
  readonly label: string;
  readonly value: string;
  readonly hasFocus: boolean;
  readonly onChange: (value: string) => void;
}

function VariableField({ variable: { key, options }, label, value, hasFocus, onChange }: VariableFieldProps) {
  const common = { label, value, "data-autofocus": hasFocus || undefined, "data-testid": `variable-${key}` } as const;
  // The field may load after the dialog has focused its first button.
  const ref = hasFocus ? focusField : undefined;
  if (options.length > 1) {
    return (
      <NativeSelect
        {...common}
        ref={ref}
        data={[...options]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <Textarea
      {...common}
      ref={ref}
      autosize
      minRows={1}
      maxRows={8}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function focusField(field: HTMLElement | null): void {
  field?.focus();
}

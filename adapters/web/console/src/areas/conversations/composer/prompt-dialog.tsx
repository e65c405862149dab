import { Button, Group, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import { builtInValues, fillVariables, type PromptVariable, parseVariables } from "./prompt-variables.ts";

const CLIPBOARD_KEY = "clipboard";

interface PromptDialogProps {
  readonly prompt: { readonly id: string; readonly name: string };
  readonly close: () => void;
  /** Called with the prompt text, its variables filled. */
  readonly onChange: (text: string) => void;
}

/** Asks for the variables of a saved prompt; inserts it without a dialog where none need a value. */
export function PromptDialog({ prompt: { id, name }, close, onChange }: PromptDialogProps) {
  const { language } = useTexts();
  const prompt = useQuery({
    queryKey: ["saved_prompt", "whole", id],
    queryFn: () => parley.get("/api/prompts/{prompt_id}", { path: { prompt_id: id } }),
  });
  const content = prompt.data?.content;
  const builtIns = builtInValues(new Date(), language);
  const open = parseVariables(content ?? "").filter(({ key }) => !Object.hasOwn(builtIns, key));
  const isPlain = content !== undefined && open.length === 0;
  const done = (values: Readonly<Record<string, string>>) => {
    onChange(fillVariables(content ?? "", { ...builtIns, ...values }));
    close();
  };
  useEffect(() => {
    if (isPlain) done({});
  }, [isPlain]);
  if (isPlain) return null;
  return (
    <Dialog opened onClose={close} title={name}>
      <Loaded query={prompt}>{() => <VariableForm open={open} onDone={done} />}</Loaded>
    </Dialog>
  );
}

interface VariableFormProps {
  readonly open: readonly PromptVariable[];
  readonly onDone: (values: Readonly<Record<string, string>>) => void;
}

function VariableForm({ open, onDone }: VariableFormProps) {
  const { t } = useTexts();
  const [values, setValues] = useState(() =>
    Object.fromEntries(open.map(({ key, options }) => [key, options[0] ?? ""])),
  );
  const update = (key: string, value: string) => setValues((now) => ({ ...now, [key]: value }));
  const wantsClipboard = open.some(({ key }) => key === CLIPBOARD_KEY);
  useEffect(() => {
    if (!wantsClipboard) return;
    let isOver = false;
    // Who does not let the page read it pastes it into the field.
    navigator.clipboard.readText().then(
      (text) => isOver || update(CLIPBOARD_KEY, text),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [wantsClipboard]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(values);
      }}
    >
      <Stack gap="sm">
        {open.map((one, index) => (
          <VariableField
            key={one.key}
            variable={one}
            label={one.key === CLIPBOARD_KEY ? t("clipboard") : one.name}
            value={values[one.key] ?? ""}
            isFirst={index === 0}
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
  readonly isFirst: boolean;
  readonly onChange: (value: string) => void;
}

function VariableField({ variable: { key, options }, label, value, isFirst, onChange }: VariableFieldProps) {
  const common = { label, value, "data-autofocus": isFirst || undefined, "data-testid": `place-${key}` } as const;
  // It may come after the window, whose first button has the focus by then.
  const ref = isFirst ? focusField : undefined;
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
  const submitted = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
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
      onKeyDown={submitted}
    />
  );
}

function focusField(field: HTMLElement | null): void {
  field?.focus();
}

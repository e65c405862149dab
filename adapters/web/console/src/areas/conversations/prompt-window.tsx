import { Button, Group, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { filledIn, knownValues, type PromptVariable, variablesOf } from "./prompt-variables.ts";
import { useTexts } from "./texts.ts";

const CLIPBOARD = "clipboard";

interface PromptWindowProps {
  readonly prompt: { readonly id: string; readonly name: string };
  readonly close: () => void;
  /** What is to be said, its places filled. */
  readonly put: (text: string) => void;
}

/** Asks for what a saved prompt leaves open; where nothing is, there is no window. */
export function PromptWindow({ prompt: { id, name }, close, put }: PromptWindowProps) {
  const { language } = useTexts();
  const prompt = useQuery({
    queryKey: ["saved_prompt", "whole", id],
    queryFn: () => parley.get("/api/prompts/{prompt_id}", { path: { prompt_id: id } }),
  });
  const content = prompt.data?.content;
  const known = knownValues(new Date(), language);
  const open = variablesOf(content ?? "").filter(({ key }) => !Object.hasOwn(known, key));
  const isPlain = content !== undefined && open.length === 0;
  const done = (values: Readonly<Record<string, string>>) => {
    put(filledIn(content ?? "", { ...known, ...values }));
    close();
  };
  useEffect(() => {
    if (isPlain) done({});
  }, [isPlain]);
  if (isPlain) return null;
  return (
    <Dialog opened onClose={close} title={name}>
      <Loaded query={prompt}>{() => <Places open={open} done={done} />}</Loaded>
    </Dialog>
  );
}

interface PlacesProps {
  readonly open: readonly PromptVariable[];
  readonly done: (values: Readonly<Record<string, string>>) => void;
}

function Places({ open, done }: PlacesProps) {
  const { t } = useTexts();
  const [values, setValues] = useState(() =>
    Object.fromEntries(open.map(({ key, options }) => [key, options[0] ?? ""])),
  );
  const put = (key: string, value: string) => setValues((now) => ({ ...now, [key]: value }));
  const wantsClipboard = open.some(({ key }) => key === CLIPBOARD);
  useEffect(() => {
    if (!wantsClipboard) return;
    let isOver = false;
    // Who does not let the page read it pastes it into the field.
    navigator.clipboard.readText().then(
      (text) => isOver || put(CLIPBOARD, text),
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
        done(values);
      }}
    >
      <Stack gap="sm">
        {open.map((one, index) => (
          <Place
            key={one.key}
            variable={one}
            label={one.key === CLIPBOARD ? t("clipboard") : one.name}
            value={values[one.key] ?? ""}
            isFirst={index === 0}
            put={(value) => put(one.key, value)}
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

interface PlaceProps {
  readonly variable: PromptVariable;
  readonly label: string;
  readonly value: string;
  readonly isFirst: boolean;
  readonly put: (value: string) => void;
}

function Place({ variable: { key, options }, label, value, isFirst, put }: PlaceProps) {
  const common = { label, value, "data-autofocus": isFirst || undefined, "data-testid": `place-${key}` } as const;
  // It may come after the window, whose first button has the focus by then.
  const ref = isFirst ? focusOn : undefined;
  if (options.length > 1) {
    return (
      <NativeSelect
        {...common}
        ref={ref}
        data={[...options]}
        onChange={({ currentTarget }) => put(currentTarget.value)}
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
      onChange={({ currentTarget }) => put(currentTarget.value)}
      onKeyDown={submitted}
    />
  );
}

function focusOn(field: HTMLElement | null): void {
  field?.focus();
}

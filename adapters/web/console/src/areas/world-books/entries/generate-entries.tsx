import { Button, Group, NumberInput, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../../shared/ui/common.tsx";
import { toast } from "../../../shared/ui/feedback/toasts.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { books } from "../api.ts";
import { useTexts } from "../texts.ts";

/** Generates entries for the book with a model. */
export function GenerateEntries({ bookId, onDone }: { readonly bookId: string; readonly onDone: () => void }) {
  const { t } = useTexts();
  const [topic, setTopic] = useState("");
  const [count, setCount] = useState(5);
  const { toHandler, isBusy, error } = useAction([["world_book"]]);
  const write = toHandler(async () => {
    const { created } = await books.generate(bookId, { topic, count });
    toast({ text: t("written", { count: created }) });
    onDone();
  });
  return (
    <Form isChanged={topic !== ""} error={error} onSubmit={write}>
      <Stack gap="sm">
        <FormControl name="topic">
          <Textarea
            label={t("topic")}
            value={topic}
            onChange={({ currentTarget }) => setTopic(currentTarget.value)}
            autosize
            minRows={3}
            required
            data-autofocus
          />
        </FormControl>
        <FormControl name="count">
          <NumberInput
            label={t("howMany")}
            min={1}
            max={20}
            allowDecimal={false}
            value={count}
            onChange={(value) => setCount(Number(value) || 1)}
          />
        </FormControl>
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={topic.trim() === ""}>
            {t("write")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

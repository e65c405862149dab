import { Button, Group, NumberInput, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { books } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Lets a model write entries into the book. */
export function Generate({ bookId, done }: { readonly bookId: string; readonly done: () => void }) {
  const { t } = useTexts();
  const [topic, setTopic] = useState("");
  const [count, setCount] = useState(5);
  const { tried, isBusy, error } = useTried([["world_book"]]);
  const write = tried(async () => {
    const { created } = await books.generate(bookId, { topic, count });
    toast({ text: t("written", { count: created }) });
    done();
  });
  return (
    <Form isChanged={topic !== ""} error={error} submit={write}>
      <Stack gap="sm">
        <At name="topic">
          <Textarea
            label={t("topic")}
            value={topic}
            onChange={({ currentTarget }) => setTopic(currentTarget.value)}
            autosize
            minRows={3}
            required
            data-autofocus
          />
        </At>
        <At name="count">
          <NumberInput
            label={t("howMany")}
            min={1}
            max={20}
            allowDecimal={false}
            value={count}
            onChange={(value) => setCount(Number(value) || 1)}
          />
        </At>
        <FormFailure />
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

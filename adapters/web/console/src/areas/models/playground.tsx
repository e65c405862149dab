import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { UnsavedGuard } from "../../shared/ui/form/unsaved-guard.tsx";
import { type Model, models, type TestResult } from "./api.ts";
import { ConnectionTestResult } from "./connection-test-result.tsx";
import { useTexts } from "./texts.ts";

const SIDES = [0, 1] as const;

/** Sends one prompt to two models and shows the results side by side. */
export function Playground({ all }: { readonly all: readonly Model[] }) {
  const { t } = useTexts();
  const [prompt, setPrompt] = useState("");
  const [sentPrompt, setSentPrompt] = useState("");
  const [selectedIds, setSelectedIds] = useState([all[0]?.id ?? "", all[1]?.id ?? all[0]?.id ?? ""]);
  const [results, setResults] = useState<readonly (TestResult | undefined)[]>([]);
  const { toHandler, isBusy, error } = useAction([["model", "usage"]]);
  const ask = toHandler(async () => {
    setResults([]);
    setSentPrompt(prompt);
    await Promise.all(
      SIDES.map(async (side) => {
        const trial = await models.ask(selectedIds[side] ?? "", prompt);
        setResults((before) => SIDES.map((one) => (one === side ? trial : before[one])));
      }),
    );
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void ask();
  };
  return (
    <form onSubmit={submit}>
      <UnsavedGuard isChanged={prompt.trim() !== "" && prompt !== sentPrompt} />
      <Stack gap="sm" data-testid="playground">
        <Textarea
          label={t("prompt")}
          autosize
          minRows={3}
          maxRows={10}
          required
          value={prompt}
          onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
          data-autofocus
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {SIDES.map((side) => {
            const trial = results[side];
            return (
              <div key={side}>
                <NativeSelect
                  label={t(side === 0 ? "firstModel" : "secondModel")}
                  value={selectedIds[side] ?? ""}
                  onChange={({ currentTarget }) => {
                    const { value } = currentTarget;
                    setSelectedIds((before) => before.map((id, one) => (one === side ? value : id)));
                  }}
                  data={all.map(({ id, name }) => ({ value: id, label: name }))}
                />
                {trial && <ConnectionTestResult trial={trial} />}
              </div>
            );
          })}
        </SimpleGrid>
        <Failure error={error} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={prompt.trim() === ""}>
            {t("askBoth")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

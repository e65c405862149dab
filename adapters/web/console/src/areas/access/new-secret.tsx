import { Button, Code, CopyButton, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const PERIODS = { "": "unlimited", 1: "days1", 30: "days30", 90: "days90", 365: "days365" } as const;

interface NewSecretProps {
  /** What the field for its name is called. */
  readonly label: TextKey;
  readonly maxLength: number;
  /** Days it may last; the first is chosen. "": for ever. */
  readonly periods: readonly (keyof typeof PERIODS)[];
  /** The queries that list it. */
  readonly changed: readonly (readonly string[])[];
  /** What tests know the field and the button by. */
  readonly testIds: { readonly name: string; readonly create: string };
  readonly isReady?: boolean;
  /** Resolves with the secret. */
  readonly create: (name: string, days: number | undefined) => Promise<string>;
  /** Fields of its own. */
  readonly children?: React.ReactNode;
}

/** Makes a credential and shows its secret, this once. */
export function NewSecret(props: NewSecretProps) {
  const { t } = useTexts();
  const { label, maxLength, periods, changed, testIds, isReady = true, create, children } = props;
  const [name, setName] = useState("");
  const [days, setDays] = useState(String(periods[0] ?? ""));
  const [secret, setSecret] = useState<string>();
  const { tried, isBusy, error } = useTried(changed);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void tried(async () => {
      setSecret(await create(name, days === "" ? undefined : Number(days)));
      setName("");
    })();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="md">
          <TextInput
            label={t(label)}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={maxLength}
            data-testid={testIds.name}
          />
          {children}
          <NativeSelect
            label={t("expires")}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={periods.map((period) => ({ value: String(period), label: t(PERIODS[period]) }))}
          />
          <Button type="submit" loading={isBusy} disabled={!isReady} data-testid={testIds.create}>
            {t("create")}
          </Button>
        </Group>
      </form>
      <Failure error={error} />
      <SecretOnce secret={secret} close={() => setSecret(undefined)} />
    </>
  );
}

/** Does not close by a slip of the hand: there is no way to see it again. */
function SecretOnce({ secret, close }: { readonly secret: string | undefined; readonly close: () => void }) {
  const { t } = useTexts();
  return (
    <Dialog opened={secret !== undefined} onClose={close} title={t("secretOnce")} size="lg" closeOnClickOutside={false}>
      <Text data-testid="secret" style={{ overflowWrap: "anywhere" }}>
        <Code fz="sm">{secret}</Code>
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        {t("secretOnceHint")}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {t("close")}
        </Button>
        <CopyButton value={secret ?? ""}>
          {({ copied, copy }) => (
            <Button onClick={copy} data-autofocus>
              {t(copied ? "copied" : "copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Dialog>
  );
}

import { Button, Code, CopyButton, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { loginTokens } from "./api.ts";
import { useTexts } from "./texts.ts";

const PERIODS = { 30: "days30", 1: "days1", 365: "days365" } as const;
const CHANGED = [["login_token"]] as const;

/** Makes a login token and shows it, this once. */
export function NewToken() {
  const { t } = useTexts();
  const [holder, setHolder] = useState("");
  const [days, setDays] = useState("30");
  const [secret, setSecret] = useState<string>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const submit = tried(async () => {
    setSecret(await loginTokens.create(holder, Number(days)));
    setHolder("");
  });
  return (
    <>
      <Form isChanged={holder !== ""} error={error} submit={submit}>
        <Group align="flex-end" gap="md">
          <At name="username">
            <TextInput
              label={t("holder")}
              value={holder}
              onChange={({ currentTarget }) => setHolder(currentTarget.value)}
              required
              maxLength={64}
              data-testid="token-holder"
            />
          </At>
          <At name="expires_days">
            <NativeSelect
              label={t("expires")}
              value={days}
              onChange={({ currentTarget }) => setDays(currentTarget.value)}
              data={Object.entries(PERIODS).map(([value, key]) => ({ value, label: t(key) }))}
            />
          </At>
          <Button type="submit" loading={isBusy} data-testid="create-token">
            {t("create")}
          </Button>
        </Group>
        <FormFailure />
      </Form>
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

import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { showOneTimeSecret } from "../../shared/ui/feedback/one-time-secret.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { loginTokens } from "./api.ts";
import { useTexts } from "./texts.ts";

const PERIODS = { 30: "days30", 1: "days1", 365: "days365" } as const;
const QUERY_KEYS = [["login_token"]] as const;

/** Makes a login token and shows it, this once. */
export function NewToken() {
  const { t } = useTexts();
  const [holder, setHolder] = useState("");
  const [days, setDays] = useState("30");
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const submit = toHandler(async () => {
    const value = await loginTokens.create(holder, Number(days));
    showOneTimeSecret({ title: t("secretOnce"), hint: t("secretOnceHint"), secrets: [{ value }] });
    setHolder("");
  });
  return (
    <Form isChanged={holder !== ""} error={error} onSubmit={submit}>
      <Group align="flex-end" gap="md">
        <FormControl name="username">
          <TextInput
            label={t("holder")}
            value={holder}
            onChange={({ currentTarget }) => setHolder(currentTarget.value)}
            required
            maxLength={64}
            data-testid="token-holder"
          />
        </FormControl>
        <FormControl name="expires_days">
          <NativeSelect
            label={t("expires")}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={Object.entries(PERIODS).map(([value, key]) => ({ value, label: t(key) }))}
          />
        </FormControl>
        <Button type="submit" loading={isBusy} data-testid="create-token">
          {t("create")}
        </Button>
      </Group>
      <FormErrors />
    </Form>
  );
}

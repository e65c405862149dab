import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { showOnce } from "../../shared/ui/secret-once.tsx";
import { loginTokens } from "./api.ts";
import { useTexts } from "./texts.ts";

const PERIODS = { 30: "days30", 1: "days1", 365: "days365" } as const;
const CHANGED = [["login_token"]] as const;

/** Makes a login token and shows it, this once. */
export function NewToken() {
  const { t } = useTexts();
  const [holder, setHolder] = useState("");
  const [days, setDays] = useState("30");
  const { tried, isBusy, error } = useTried(CHANGED);
  const submit = tried(async () => {
    const value = await loginTokens.create(holder, Number(days));
    showOnce({ title: t("secretOnce"), hint: t("secretOnceHint"), secrets: [{ value }] });
    setHolder("");
  });
  return (
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
  );
}

import { Button, Group } from "@mantine/core";
import { showOneTimeSecret } from "../../shared/ui/feedback/one-time-secret.tsx";
import { SelectField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { loginTokens } from "./api.ts";
import { useTexts } from "./texts.ts";

const PERIODS = { 30: "days30", 1: "days1", 365: "days365" } as const;
const QUERY_KEYS = [["login_token"]] as const;

/** The form that creates a login token and shows it once. */
export function NewToken() {
  const { t } = useTexts();
  const { props, draft, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ username: "", expires_days: "30" }),
    create: async ({ username, expires_days }) => {
      const value = await loginTokens.create(username, Number(expires_days));
      showOneTimeSecret({ title: t("secretOnce"), hint: t("secretOnceHint"), secrets: [{ value }] });
      field("username").onChange("");
    },
  });
  return (
    <Form {...props} isChanged={draft.username !== ""}>
      <Group align="flex-end" gap="md">
        <TextField label={t("holder")} {...field("username")} required maxLength={64} testId="token-holder" />
        <SelectField
          label={t("expires")}
          {...field("expires_days")}
          data={Object.entries(PERIODS).map(([value, key]) => ({ value, label: t(key) }))}
        />
        <Button type="submit" loading={isBusy} data-testid="create-token">
          {t("create")}
        </Button>
      </Group>
      <FormErrors />
    </Form>
  );
}

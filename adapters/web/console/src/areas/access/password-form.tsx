import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { CheckboxField, PasswordField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { changePassword } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["login_token"]] as const;
const MIN_LENGTH = 8;
const EMPTY_VALUES = { old_password: "", new_password: "", again: "", end_others: true };

/** The form that changes the current user's password; asks for the old one. */
export function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTexts();
  const [endedCount, setEndedCount] = useState<number>();
  const { props, draft, field, restart, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => EMPTY_VALUES,
    create: async ({ old_password, new_password, end_others }) => {
      setEndedCount(undefined);
      setEndedCount((await changePassword(old_password, new_password, end_others)).ended);
      restart(undefined);
    },
  });
  const hasMismatch = draft.again !== "" && draft.again !== draft.new_password;
  return (
    <section aria-labelledby="password">
      <Title order={2} size="h4" id="password">
        {t("password")}
      </Title>
      <Form isOwn {...props}>
        <Stack gap="sm" maw={360} mt="sm">
          {/* Tells password managers whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField label={t("oldPassword")} autoComplete="current-password" {...field("old_password")} required />
          <PasswordField
            label={t("newPassword")}
            description={t("newPasswordHint")}
            {...field("new_password")}
            required
            minLength={MIN_LENGTH}
          />
          <PasswordField label={t("newAgain")} {...field("again")} error={hasMismatch && t("notTheSame")} required />
          <CheckboxField label={t("endOthersToo")} {...field("end_others")} />
          <Group>
            <Button
              type="submit"
              loading={isBusy}
              disabled={draft.again !== draft.new_password}
              data-testid="change-password"
            >
              {t("changePassword")}
            </Button>
          </Group>
        </Stack>
        <FormErrors />
      </Form>
      {endedCount !== undefined && (
        <Alert color="green" my="sm" role="status">
          <Text size="sm">{t("passwordChanged", { ended: endedCount })}</Text>
        </Alert>
      )}
    </section>
  );
}

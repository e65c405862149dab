import { Alert, Button, Checkbox, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { changePassword } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["login_token"]] as const;
const MIN_LENGTH = 8;
const EMPTY_VALUES = { old: "", fresh: "", again: "" };

/** Changes the current user's password; asks for the old one. */
export function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTexts();
  const [texts, setTexts] = useState(EMPTY_VALUES);
  const [endsOthers, setEndsOthers] = useState(true);
  const [ended, setEnded] = useState<number>();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (name: keyof typeof EMPTY_VALUES) => (event: React.ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setTexts((before) => ({ ...before, [name]: value }));
  };
  const isOther = texts.again !== "" && texts.again !== texts.fresh;
  const submit = toHandler(async () => {
    setEnded(undefined);
    setEnded((await changePassword(texts.old, texts.fresh, endsOthers)).ended);
    setTexts(EMPTY_VALUES);
  });
  return (
    <section aria-labelledby="password">
      <Title order={2} size="h4" id="password">
        {t("password")}
      </Title>
      <Form isOwn isChanged={Object.values(texts).some(Boolean)} error={error} onSubmit={submit}>
        <Stack gap="sm" maw={360} mt="sm">
          {/* So that password managers know whose it is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <FormControl name="old_password">
            <PasswordInput
              label={t("oldPassword")}
              autoComplete="current-password"
              value={texts.old}
              onChange={update("old")}
              required
            />
          </FormControl>
          <FormControl name="new_password">
            <PasswordInput
              label={t("newPassword")}
              description={t("newPasswordHint")}
              autoComplete="new-password"
              value={texts.fresh}
              onChange={update("fresh")}
              required
              minLength={MIN_LENGTH}
            />
          </FormControl>
          <PasswordInput
            label={t("newAgain")}
            autoComplete="new-password"
            value={texts.again}
            onChange={update("again")}
            error={isOther && t("notTheSame")}
            required
          />
          <FormControl name="end_others">
            <Checkbox
              label={t("endOthersToo")}
              checked={endsOthers}
              onChange={({ currentTarget }) => setEndsOthers(currentTarget.checked)}
            />
          </FormControl>
          <Group>
            <Button type="submit" loading={isBusy} disabled={texts.again !== texts.fresh} data-testid="change-password">
              {t("changePassword")}
            </Button>
          </Group>
        </Stack>
        <FormErrors />
      </Form>
      {ended !== undefined && (
        <Alert color="green" my="sm" role="status">
          <Text size="sm">{t("passwordChanged", { ended })}</Text>
        </Alert>
      )}
    </section>
  );
}

import { Alert, Button, Checkbox, Group, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { changePassword } from "./api.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["login_token"]] as const;
const LEAST = 8;
const EMPTY = { old: "", fresh: "", again: "" };

/** Another password for the person who looks; the one of before is asked for. */
export function PasswordForm({ username }: { readonly username: string }) {
  const { t } = useTexts();
  const [texts, setTexts] = useState(EMPTY);
  const [endsOthers, setEndsOthers] = useState(true);
  const [ended, setEnded] = useState<number>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (name: keyof typeof EMPTY) => (event: React.ChangeEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setTexts((before) => ({ ...before, [name]: value }));
  };
  const isOther = texts.again !== "" && texts.again !== texts.fresh;
  const submit = tried(async () => {
    setEnded(undefined);
    setEnded((await changePassword(texts.old, texts.fresh, endsOthers)).ended);
    setTexts(EMPTY);
  });
  return (
    <section aria-labelledby="password">
      <Title order={2} size="h4" id="password">
        {t("password")}
      </Title>
      <Form isOwn isChanged={Object.values(texts).some(Boolean)} error={error} submit={submit}>
        <Stack gap="sm" maw={360} mt="sm">
          {/* So that password managers know whose it is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <At name="old_password">
            <PasswordInput
              label={t("oldPassword")}
              autoComplete="current-password"
              value={texts.old}
              onChange={put("old")}
              required
            />
          </At>
          <At name="new_password">
            <PasswordInput
              label={t("newPassword")}
              description={t("newPasswordHint")}
              autoComplete="new-password"
              value={texts.fresh}
              onChange={put("fresh")}
              required
              minLength={LEAST}
            />
          </At>
          <PasswordInput
            label={t("newAgain")}
            autoComplete="new-password"
            value={texts.again}
            onChange={put("again")}
            error={isOther && t("notTheSame")}
            required
          />
          <At name="end_others">
            <Checkbox
              label={t("endOthersToo")}
              checked={endsOthers}
              onChange={({ currentTarget }) => setEndsOthers(currentTarget.checked)}
            />
          </At>
          <Group>
            <Button type="submit" loading={isBusy} disabled={texts.again !== texts.fresh} data-testid="change-password">
              {t("changePassword")}
            </Button>
          </Group>
        </Stack>
        <FormFailure />
      </Form>
      {ended !== undefined && (
        <Alert color="green" my="sm" role="status">
          <Text size="sm">{t("passwordChanged", { ended })}</Text>
        </Alert>
      )}
    </section>
  );
}

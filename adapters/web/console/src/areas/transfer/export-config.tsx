import { Button, Checkbox, Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { type Section, transfer } from "./api.ts";
import { SectionChoice } from "./section-choice.tsx";
import { useTexts } from "./texts.ts";

const MIN_PASSWORD_LENGTH = 8;

/** Exports a package: its sections and password. */
export function ExportConfig({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useTexts();
  const [chosen, choose] = useState<readonly string[]>(sections.map(({ id }) => id));
  const [password, setPassword] = useState("");
  const [include_secrets, setSecrets] = useState(false);
  const { toHandler, isBusy, error } = useAction([]);
  const hasSecrets = sections.some(({ id, has_secrets }) => has_secrets && chosen.includes(id));
  const make = toHandler(async () => {
    await transfer.take({ password, sections: chosen, include_secrets: include_secrets && hasSecrets });
    setPassword("");
    toast({ text: t("made") });
  });
  return (
    <Form isChanged={password !== ""} error={error} onSubmit={make}>
      <Stack gap="md">
        <SectionChoice legend={t("what")} sections={sections} chosen={chosen} choose={choose} />
        {hasSecrets && (
          <FormControl name="include_secrets">
            <Checkbox
              label={t("secrets")}
              description={t("secretsHint")}
              checked={include_secrets}
              onChange={({ currentTarget }) => setSecrets(currentTarget.checked)}
            />
          </FormControl>
        )}
        <FormControl name="password">
          <PasswordInput
            label={t("newPassword")}
            description={t("newPasswordHint")}
            inputWrapperOrder={["label", "input", "description"]}
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            data-testid="package-password"
          />
        </FormControl>
        <FormErrors />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={isBusy}
            disabled={chosen.length === 0 || [...password].length < MIN_PASSWORD_LENGTH}
            leftSection={<Icon name="download" size={16} />}
            data-testid="make-package"
          >
            {t("make")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { CheckboxField, PasswordField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Section, transfer } from "./api.ts";
import { SectionChoice } from "./section-choice.tsx";
import { useTexts } from "./texts.ts";

const MIN_PASSWORD_LENGTH = 8;

/** Exports a package: its sections and password. */
export function ExportConfig({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useTexts();
  const [selected, setSelected] = useState<readonly string[]>(sections.map(({ id }) => id));
  const hasSecrets = sections.some(({ id, has_secrets }) => has_secrets && selected.includes(id));
  const { props, draft, field, isBusy } = useRecordForm({
    toDraft: () => ({ password: "", include_secrets: false }),
    create: async ({ password, include_secrets }) => {
      await transfer.export({ password, sections: selected, include_secrets: include_secrets && hasSecrets });
      field("password").onChange("");
      showToast({ text: t("packageDownloaded") });
    },
  });
  return (
    <Form {...props} isChanged={draft.password !== ""}>
      <Stack gap="md">
        <SectionChoice legend={t("exportedSections")} sections={sections} selected={selected} onSelect={setSelected} />
        {hasSecrets && (
          <CheckboxField label={t("secrets")} description={t("secretsHint")} {...field("include_secrets")} />
        )}
        <PasswordField
          label={t("newPassword")}
          description={t("newPasswordHint")}
          inputWrapperOrder={["label", "input", "description"]}
          required
          minLength={MIN_PASSWORD_LENGTH}
          {...field("password")}
          testId="package-password"
        />
        <FormErrors />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={isBusy}
            disabled={selected.length === 0 || [...draft.password].length < MIN_PASSWORD_LENGTH}
            leftSection={<Icon name="download" size={16} />}
            data-testid="make-package"
          >
            {t("downloadPackage")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

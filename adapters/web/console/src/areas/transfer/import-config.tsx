import { Alert, Button, Group, PasswordInput, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refetch } from "../../shared/live/refetch.ts";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { type ConfigImport, type Mode, type Section, transfer } from "./api.ts";
import { ImportChanges } from "./import-changes.tsx";
import { SectionChoice } from "./section-choice.tsx";
import { useTexts } from "./texts.ts";

/** Imports a package: select a file, review the changes, confirm. */
export function ImportConfig({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState("");
  const [mode, setMode] = useState<Mode>("skip");
  const [preview, setPreview] = useState<ConfigImport>();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isConfirming, setConfirming] = useState(false);
  const { toHandler, isBusy, error } = useAction([]);
  const run = (isTrial: boolean, mode: Mode, only?: readonly string[]) =>
    toHandler(async () => {
      setConfirming(false);
      if (!file) return;
      const result = await transfer.import({ file, password, mode, isTrial, ...(only && { sections: only }) });
      setPreview(result);
      if (only === undefined) setSelected(sections.map(({ id }) => id).filter((id) => id in result.sections));
      if (!isTrial) await refetch(queries);
    })();
  const importSelected = () => void run(false, mode, selected);
  const packageSections = sections.filter(({ id }) => preview && id in preview.sections);
  const selectedSections = Object.entries(preview?.sections ?? {}).filter(([id]) => selected.includes(id));
  const changes = selectedSections.reduce((sum, [, { created, updated }]) => sum + created + updated, 0);
  const replaces = selectedSections.some(([, { updated }]) => updated > 0);
  if (preview?.applied) {
    return (
      <Stack gap="md" data-testid="import-done">
        <Title order={2} size="h4">
          {t("changed")}
        </Title>
        <ImportChanges result={preview} sections={sections} />
        <Alert role="note">{t("disabled")}</Alert>
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              setPreview(undefined);
              setFile(null);
              setPassword("");
            }}
          >
            {t("importAnother")}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(true, mode);
        }}
      >
        <Stack gap="md">
          <Group gap="sm">
            <FileButton
              accept=".zip,application/zip"
              onChange={(picked) => {
                setFile(picked);
                setPreview(undefined);
              }}
              inputProps={{ "aria-label": t("file") }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<Icon name="upload" size={16} />}>
                  {t("file")}
                </Button>
              )}
            </FileButton>
            <Text size="sm" {...(!file && { c: "dimmed" })} style={{ overflowWrap: "anywhere" }}>
              {file?.name ?? t("noFile")}
            </Text>
          </Group>
          <PasswordInput
            label={t("packagePassword")}
            autoComplete="off"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            data-testid="package-password"
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="existingItems">
              {t("existingItems")}
            </Text>
            <SegmentedControl
              fullWidth
              aria-labelledby="existingItems"
              value={mode}
              onChange={(value) => {
                setMode(value);
                if (preview) void run(true, value);
              }}
              data={(["skip", "overwrite"] as const).map((value) => ({ value, label: t(value) }))}
            />
          </div>
          <Failure error={error} />
          <Group justify="flex-end">
            <Button
              type="submit"
              variant={preview ? "default" : "filled"}
              loading={isBusy && !preview}
              disabled={!file || password === ""}
              data-testid="preview-import"
            >
              {t("previewChanges")}
            </Button>
          </Group>
        </Stack>
      </form>
      {preview && (
        <>
          <Title order={2} size="h4">
            {t("plannedChanges")}
          </Title>
          <SectionChoice legend={t("wanted")} sections={packageSections} selected={selected} onSelect={setSelected} />
          <ImportChanges result={preview} sections={sections.filter(({ id }) => selected.includes(id))} />
          <Group justify="flex-end">
            <Button
              loading={isBusy}
              disabled={changes === 0}
              onClick={() => (replaces ? setConfirming(true) : importSelected())}
              data-testid="apply-import"
            >
              {t("apply")} ({changes})
            </Button>
          </Group>
          <Dialog opened={isConfirming} onClose={() => setConfirming(false)} title={t("confirm")}>
            <ImportChanges result={preview} sections={sections.filter(({ id }) => selected.includes(id))} />
            <Text size="sm" mt="sm">
              {t("confirmHint")}
            </Text>
            <Group justify="flex-end" mt="md">
              <Button variant="default" onClick={() => setConfirming(false)} data-autofocus>
                {t("cancel")}
              </Button>
              <Button color="red" loading={isBusy} onClick={importSelected} data-testid="replace">
                {t("overwrite")}
              </Button>
            </Group>
          </Dialog>
        </>
      )}
    </Stack>
  );
}

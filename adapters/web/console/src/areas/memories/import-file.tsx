import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { type MemoryImport, memories, QUERY_KEYS } from "./api.ts";
import { useTexts } from "./texts.ts";

export interface MemoryFileImport {
  readonly importFile: (file: File | null) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly result: MemoryImport | undefined;
  readonly close: () => void;
}

/** Imports memories from an exported file; the service skips known ones. */
export function useImportFile(): MemoryFileImport {
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [result, setResult] = useState<MemoryImport>();
  const close = () => setResult(undefined);
  const importFile = (file: File | null) =>
    void toHandler(async () => {
      close();
      if (file) setResult(await memories.import(file));
    })();
  return { importFile, isBusy, error, result, close };
}

export function ImportButton({ importFile, isBusy }: MemoryFileImport) {
  const { t } = useTexts();
  return (
    <FileButton onChange={importFile} accept="application/json">
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={isBusy}
          leftSection={<Icon name="upload" size={16} />}
          data-testid="import-memories"
        >
          {t("import")}
        </Button>
      )}
    </FileButton>
  );
}

/** The outcome of an import. */
export function ImportResult({ error, result, close }: MemoryFileImport) {
  const { t } = useTexts();
  return (
    <>
      <Failure error={error} />
      {result && (
        <Alert
          color={result.failed > 0 ? "yellow" : "parley"}
          mb="md"
          role="status"
          withCloseButton
          closeButtonLabel={t("close")}
          onClose={close}
          data-testid="memories-imported"
        >
          {t("imported", { imported: String(result.imported), skipped: String(result.skipped) })}
          {result.failed > 0 &&
            ` ${t("notImported", { count: String(result.failed), why: result.errors[0]?.error ?? "" })}`}
        </Alert>
      )}
    </>
  );
}

import { Alert, Button, Text } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { importCard } from "../../shared/api/characters.ts";
import { refetch } from "../../shared/live/refetch.ts";
import textCss from "../../shared/styles/text.module.css";
import { formatError } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import cardDropCss from "./card-drop.module.css";
import { useTexts } from "./texts.ts";

const ACCEPTED_TYPES = ".png,.jpg,.jpeg,.json,.zip,.charx,application/json,application/zip,image/png,image/jpeg";

interface ImportNote {
  readonly name: string;
  readonly outcome: Partial<ListedWarnings>;
}

interface CardImport {
  importFiles(files: readonly File[]): Promise<void>;
  readonly button: React.ReactNode;
  /** Messages about the imported cards. */
  readonly notes: React.ReactNode;
}

/** Imports character cards one by one; one that fails does not stop the others. */
export function useCardImport(): CardImport {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [importedName, setImportedName] = useState<string>();
  const [notes, setNotes] = useState<readonly ImportNote[]>([]);
  const importFiles = async (files: readonly File[]) => {
    for (const file of files) {
      setImportedName(file.name);
      try {
        const { card, ...outcome } = await importCard(file);
        showToast({ text: t("imported", { name: card.name }) });
        if (outcome.warnings?.length) setNotes((before) => [...before, { name: card.name, outcome }]);
      } catch (error) {
        showToast({ text: t("notImported", { name: file.name, why: formatError(error, t) }), isBad: true });
      }
    }
    setImportedName(undefined);
    await refetch(queries, ["character"]);
  };
  return {
    importFiles,
    button: (
      <FileButton multiple accept={ACCEPTED_TYPES} onChange={(files) => void importFiles(files)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={importedName !== undefined}
            leftSection={<Icon name="upload" size={16} />}
            data-testid="import-cards"
          >
            {t("importCards")}
          </Button>
        )}
      </FileButton>
    ),
    notes: (
      <>
        {importedName !== undefined && (
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {t("importing", { name: importedName })}
          </Text>
        )}
        {notes.map(({ name, outcome }, index) => (
          <Alert
            key={index}
            color="yellow"
            mb="sm"
            title={t("warnings", { name })}
            withCloseButton
            closeButtonLabel={t("close")}
            onClose={() => setNotes(notes.filter((_, at) => at !== index))}
          >
            <ul className={textCss.plainList}>
              {outcome.warnings?.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Alert>
        ))}
      </>
    ),
  };
}

/** Imports files that are dropped anywhere on its content. */
export function CardDropZone({
  imports,
  children,
}: {
  readonly imports: CardImport;
  readonly children: React.ReactNode;
}) {
  const { t } = useTexts();
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: React.DragEvent) => dataTransfer.types.includes("Files");
  return (
    <section
      className={cardDropCss.cardDrop}
      aria-label={t("characters")}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void imports.importFiles([...event.dataTransfer.files]);
      }}
    >
      {isOver && <div className={cardDropCss.dropVeil}>{t("dropHere")}</div>}
      {children}
    </section>
  );
}

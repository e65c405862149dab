import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { parley, uploadForm } from "../../../shared/api/client.ts";
import { readAllPages } from "../../../shared/api/list-pages.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { FileButton } from "../../../shared/ui/form/file-button.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { listNames } from "../../../shared/ui/text/list-names.ts";
import { useTexts } from "../texts.ts";
import { parseExport, type SessionExport, splitIntoChunks, toRejectedResult, toSourceId } from "./import-chunks.ts";

const IMPORT_PATH = "/api/sessions/import";
const QUERY_KEYS = [["session"]] as const;
const EMPTY_RESULT: ImportResult = { imported: 0, failed: 0, items: [], errors: [], filtered_messages: 0 };

type ImportResult = DataOf<"post", typeof IMPORT_PATH>;

/** Imports conversations from a file, and links to the export of all. */
export function ImportSessions() {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const navigate = useNavigate();
  const [result, setResult] = useState<ImportResult>();
  const [count, setCount] = useState<number>();
  const [repeatedImport, setRepeatedImport] = useState<RepeatedImport>();
  const uploadAll = async (name: string, chunks: readonly (string | File)[]) => {
    let total = EMPTY_RESULT;
    for (const chunk of chunks) {
      const upload = uploadChunk(name, chunk);
      // A chunk without any readable conversation does not stop the others.
      const outcome = chunks.length === 1 ? upload : upload.catch((error: unknown) => toRejectedResult(chunk, error));
      total = mergeResults(total, await outcome);
      setResult(total);
    }
    const [only] = total.items;
    if (total.items.length === 1 && only) {
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: only.id } });
    }
  };
  const importFile = (file: File | null) =>
    toHandler(async () => {
      setResult(undefined);
      setCount(undefined);
      setRepeatedImport(undefined);
      if (!file) return;
      const sessionExport = parseExport(await file.text());
      if (!sessionExport) return uploadAll(file.name, [file]);
      const importedIds = await findImportedIds(sessionExport);
      if (importedIds.size > 0) return setRepeatedImport({ name: file.name, sessionExport, importedIds });
      setCount(sessionExport.sessions.length);
      await uploadAll(file.name, splitIntoChunks(sessionExport));
    })();
  const continueImport = ({ name, sessionExport }: RepeatedImport, sessions: readonly unknown[]) =>
    toHandler(async () => {
      setRepeatedImport(undefined);
      setCount(sessions.length);
      await uploadAll(name, splitIntoChunks({ ...sessionExport, sessions }));
    })();
  return (
    <Stack gap={4} p="xs" pl="sm" style={{ borderTop: "var(--line)" }}>
      <Group gap="xs">
        <FileButton onChange={importFile} accept="application/json">
          {(props) => (
            <Button size="compact-sm" variant="subtle" color="gray" loading={isBusy} {...props}>
              {t("import")}
            </Button>
          )}
        </FileButton>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          component="a"
          href="/api/sessions/export?download=true"
          download
        >
          {t("exportAll")}
        </Button>
      </Group>
      {isBusy && count !== undefined && (
        <div role="status">
          <Text size="xs">{t("importedOf", { count: result?.imported ?? 0, all: count })}</Text>
          <Progress value={(100 * (result?.items.length ?? 0)) / count} size="sm" mt={4} aria-label={t("import")} />
        </div>
      )}
      {repeatedImport && (
        <RepeatedImportDialog
          {...repeatedImport}
          close={() => setRepeatedImport(undefined)}
          onContinue={(sessions) => void continueImport(repeatedImport, sessions)}
        />
      )}
      {result && !isBusy && (
        <Alert
          color={result.failed > 0 ? "yellow" : "parley"}
          py={4}
          role="status"
          withCloseButton
          closeButtonLabel={t("close")}
          onClose={() => setResult(undefined)}
        >
          {`${t("imported")}: ${result.imported}`}
          {result.failed > 0 && `, ${t("notImported")}: ${result.failed} (${result.errors[0]?.error ?? ""})`}
        </Alert>
      )}
      <Failure error={error} />
    </Stack>
  );
}

interface RepeatedImport {
  /** File name. */
  readonly name: string;
  readonly sessionExport: SessionExport;
  /** Source ids of the conversations that an earlier import created. */
  readonly importedIds: ReadonlySet<string>;
}

interface RepeatedImportDialogProps extends RepeatedImport {
  readonly close: () => void;
  readonly onContinue: (sessions: readonly unknown[]) => void;
}

/** Asks whether to skip or import again the conversations that were imported before. */
function RepeatedImportDialog({
  sessionExport: { sessions },
  importedIds,
  close,
  onContinue,
}: RepeatedImportDialogProps) {
  const { t } = useTexts();
  const isImported = (session: unknown) => importedIds.has(toSourceId(session) ?? "");
  const names = sessions.filter(isImported).map((session) => String(toJsonObject(session).name ?? ""));
  const others = sessions.filter((session) => !isImported(session));
  return (
    <Dialog opened onClose={close} size="lg" title={t("importedBefore", { count: names.length })}>
      <Text size="sm" fw={600} className={textCss.wrapped}>
        {listNames(names)}
      </Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <CancelButton />
        <Button variant="default" onClick={() => onContinue(sessions)} data-testid="import-again">
          {t("importAgain", { count: names.length })}
        </Button>
        {others.length > 0 && (
          <Button onClick={() => onContinue(others)} data-autofocus data-testid="import-others">
            {t("importOthers", { count: others.length })}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

/** Finds the source ids in a file for which an earlier import created conversations. */
async function findImportedIds(file: SessionExport): Promise<ReadonlySet<string>> {
  const sourceIds = new Set(file.sessions.flatMap((session) => toSourceId(session) ?? []));
  if (sourceIds.size === 0) return sourceIds;
  const sessions = await readAllPages(
    ({ limit }, cursor) =>
      parley.get("/api/sessions", { query: { limit, archived: "all", ...(cursor !== "" && { cursor }) } }),
    ({ id }) => id,
  );
  return new Set(sessions.flatMap(({ imported_from }) => imported_from ?? [])).intersection(sourceIds);
}

function uploadChunk(name: string, chunk: string | File): Promise<ImportResult> {
  const file = chunk instanceof File ? chunk : new Blob([chunk], { type: "application/json" });
  return uploadForm(IMPORT_PATH, [["file", file, name]]);
}

function mergeResults(before: ImportResult, next: ImportResult): ImportResult {
  const from = before.imported + before.failed;
  const withOffset = <One extends { readonly index: number }>(some: readonly One[]) =>
    some.map((one) => ({ ...one, index: one.index + from }));
  return {
    imported: before.imported + next.imported,
    failed: before.failed + next.failed,
    items: [...before.items, ...withOffset(next.items)],
    errors: [...before.errors, ...withOffset(next.errors)],
    filtered_messages: before.filtered_messages + next.filtered_messages,
  };
}

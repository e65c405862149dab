import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { MAX_LIMIT_QUERY, parley, uploadForm } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { FileButton } from "../../../shared/ui/form/file-button.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { listNames } from "../../../shared/ui/text/list-names.ts";
import { useTexts } from "../texts.ts";
import { parseExport, type SessionExport, splitIntoChunks, toRejectedChunk, toSourceId } from "./import-chunks.ts";

const IMPORT_PATH = "/api/sessions/import";
const QUERY_KEYS = [["session"]] as const;
const EMPTY_RESULT: ImportResult = { imported: 0, failed: 0, items: [], errors: [], filtered_messages: 0 };

type ImportResult = DataOf<"post", typeof IMPORT_PATH>;

/** Imports any number of conversations from a file, and exports all of them. */
export function ImportSessions() {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const navigate = useNavigate();
  const [done, setDone] = useState<ImportResult>();
  const [count, setCount] = useState<number>();
  const [twice, setTwice] = useState<RepeatedImport>();
  const sendAll = async (name: string, parts: readonly (string | File)[]) => {
    let soFar = EMPTY_RESULT;
    for (const part of parts) {
      const result = uploadChunk(name, part);
      // A part in which nothing can be read does not stop the other parts.
      const counted = parts.length === 1 ? result : result.catch((error: unknown) => toRejectedChunk(part, error));
      soFar = mergeResults(soFar, await counted);
      setDone(soFar);
    }
    const [only] = soFar.items;
    if (soFar.items.length === 1 && only) {
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: only.id } });
    }
  };
  const take = (file: File | null) =>
    toHandler(async () => {
      setDone(undefined);
      setCount(undefined);
      setTwice(undefined);
      if (!file) return;
      const sessionExport = parseExport(await file.text());
      if (!sessionExport) return sendAll(file.name, [file]);
      const before = await findImportedIds(sessionExport);
      if (before.size > 0) return setTwice({ name: file.name, sessionExport, importedIds: before });
      setCount(sessionExport.sessions.length);
      await sendAll(file.name, splitIntoChunks(sessionExport));
    })();
  const goOn = ({ name, sessionExport }: RepeatedImport, sessions: readonly unknown[]) =>
    toHandler(async () => {
      setTwice(undefined);
      setCount(sessions.length);
      await sendAll(name, splitIntoChunks({ ...sessionExport, sessions }));
    })();
  return (
    <Stack gap={4} p="xs" pl="sm" style={{ borderTop: "var(--line)" }}>
      <Group gap="xs">
        <FileButton onChange={take} accept="application/json">
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
          <Text size="xs">{t("importedOf", { count: done?.imported ?? 0, all: count })}</Text>
          <Progress value={(100 * (done?.items.length ?? 0)) / count} size="sm" mt={4} aria-label={t("import")} />
        </div>
      )}
      {twice && (
        <RepeatedImportDialog
          {...twice}
          close={() => setTwice(undefined)}
          onContinue={(some) => void goOn(twice, some)}
        />
      )}
      {done && !isBusy && (
        <Alert
          color={done.failed > 0 ? "yellow" : "parley"}
          py={4}
          role="status"
          withCloseButton
          closeButtonLabel={t("close")}
          onClose={() => setDone(undefined)}
        >
          {`${t("imported")}: ${done.imported}`}
          {done.failed > 0 && `, ${t("notImported")}: ${done.failed} (${done.errors[0]?.error ?? ""})`}
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
  /** Ids of those that an earlier import brought. */
  readonly importedIds: ReadonlySet<string>;
}

interface RepeatedImportDialogProps extends RepeatedImport {
  readonly close: () => void;
  readonly onContinue: (sessions: readonly unknown[]) => void;
}

/** Asks whether to skip or import again the conversations that were imported before. */
function RepeatedImportDialog({
  sessionExport: { sessions },
  importedIds: before,
  close,
  onContinue,
}: RepeatedImportDialogProps) {
  const { t } = useTexts();
  const isBefore = (session: unknown) => before.has(toSourceId(session) ?? "");
  const names = sessions.filter(isBefore).map((session) => String(toJsonObject(session).name ?? ""));
  const others = sessions.filter((session) => !isBefore(session));
  return (
    <Dialog opened onClose={close} size="lg" title={t("importedTwice", { count: names.length })}>
      <Text size="sm" fw={600} className={textCss.doomed}>
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

/** Returns the source ids of a file that earlier imports already created conversations for. */
async function findImportedIds({ sessions }: SessionExport): Promise<ReadonlySet<string>> {
  const sourceIds = new Set(sessions.flatMap((session) => toSourceId(session) ?? []));
  const importedIds = new Set<string>();
  let cursor: string | undefined;
  while (sourceIds.size > 0) {
    const page = await parley.get("/api/sessions", {
      query: { ...MAX_LIMIT_QUERY, archived: "all", ...(cursor && { cursor }) },
    });
    for (const { imported_from: from } of page.items) if (from !== null && sourceIds.has(from)) importedIds.add(from);
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return importedIds;
}

function uploadChunk(name: string, part: string | File): Promise<ImportResult> {
  const file = part instanceof File ? part : new Blob([part], { type: "application/json" });
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

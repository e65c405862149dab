import { Alert, Button, Group, Stack } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../shared/api/client.ts";
import { Failure, toldOf, useTried } from "../../shared/ui/common.tsx";
import { FileButton } from "../../shared/ui/file-button.tsx";
import { importParts } from "./import-parts.ts";
import { useTexts } from "./texts.ts";

const IMPORT = "/api/sessions/import";
const CHANGED = [["session"]] as const;

type Imported = DataOf<"post", typeof IMPORT>;

/** Takes conversations out of a file, however many there are, and gives all of them as one. */
export function ImportSessions() {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const navigate = useNavigate();
  const [done, setDone] = useState<Imported>();
  const take = (file: File | null) =>
    tried(async () => {
      setDone(undefined);
      if (!file) return;
      const imported = await importFile(file, setDone);
      const [only] = imported.items;
      if (imported.items.length === 1 && only) {
        await navigate({ to: "/sessions/$sessionId", params: { sessionId: only.id } });
      }
    })();
  return (
    <Stack gap={4} p="xs" pl="sm" style={{ borderTop: "var(--line)" }}>
      <Group gap="xs">
        <FileButton onChange={take} accept="application/json">
          {(props) => (
            <Button size="compact-sm" variant="subtle" color="gray" loading={isBusy} {...props}>
              {isBusy && done ? `${t("imported")}: ${done.imported}` : t("import")}
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
          {done.failed > 0 && `, ${t("notImported")}: ${done.failed} (${done.errors[0] ? toldOf(done.errors[0]) : ""})`}
        </Alert>
      )}
      <Failure error={error} />
    </Stack>
  );
}

/** `told`: of what is in so far. What was taken in before a part that is refused stays. */
async function importFile(file: File, told: (soFar: Imported) => void): Promise<Imported> {
  const parts = importParts(await file.text());
  let soFar: Imported = { imported: 0, failed: 0, items: [], errors: [], filtered_messages: 0 };
  for (const part of parts ?? [file]) {
    const form = new FormData();
    form.set("file", part instanceof File ? part : new Blob([part], { type: "application/json" }), file.name);
    soFar = joined(soFar, await api.post<Imported>(IMPORT, form));
    told(soFar);
  }
  return soFar;
}

function joined(before: Imported, next: Imported): Imported {
  const from = before.imported + before.failed;
  const moved = <One extends { readonly index: number }>(some: readonly One[]) =>
    some.map((one) => ({ ...one, index: one.index + from }));
  return {
    imported: before.imported + next.imported,
    failed: before.failed + next.failed,
    items: [...before.items, ...moved(next.items)],
    errors: [...before.errors, ...moved(next.errors)],
    filtered_messages: before.filtered_messages + next.filtered_messages,
  };
}

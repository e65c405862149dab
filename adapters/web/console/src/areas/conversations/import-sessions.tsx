import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ALL, api, parley } from "../../shared/api/client.ts";
import textCss from "../../shared/styles/text.module.css";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { Failure, toldOf, useTried } from "../../shared/ui/common.tsx";
import { FileButton } from "../../shared/ui/file-button.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { someNames } from "../../shared/ui/some-names.ts";
import { importParts, type Package, packageIn, sourceOf } from "./import-parts.ts";
import { useTexts } from "./texts.ts";

const IMPORT = "/api/sessions/import";
const CHANGED = [["session"]] as const;
const NOTHING: Imported = { imported: 0, failed: 0, items: [], errors: [], filtered_messages: 0 };

type Imported = DataOf<"post", typeof IMPORT>;

/** Takes conversations out of a file, however many there are, and gives all of them as one. */
export function ImportSessions() {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const navigate = useNavigate();
  const [done, setDone] = useState<Imported>();
  const [count, setCount] = useState<number>();
  const [twice, setTwice] = useState<Twice>();
  const sendAll = async (name: string, parts: readonly (string | File)[]) => {
    let soFar = NOTHING;
    for (const part of parts) {
      soFar = joined(soFar, await send(name, part));
      setDone(soFar);
    }
    const [only] = soFar.items;
    if (soFar.items.length === 1 && only) {
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: only.id } });
    }
  };
  const take = (file: File | null) =>
    tried(async () => {
      setDone(undefined);
      setCount(undefined);
      setTwice(undefined);
      if (!file) return;
      const held = packageIn(await file.text());
      if (!held) return sendAll(file.name, [file]);
      const before = await importedBefore(held);
      if (before.size > 0) return setTwice({ name: file.name, held, before });
      setCount(held.sessions.length);
      await sendAll(file.name, importParts(held));
    })();
  const goOn = ({ name, held }: Twice, sessions: readonly unknown[]) =>
    tried(async () => {
      setTwice(undefined);
      setCount(sessions.length);
      await sendAll(name, importParts({ ...held, sessions }));
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
      {twice && <ImportedTwice {...twice} close={() => setTwice(undefined)} goOn={(some) => void goOn(twice, some)} />}
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

interface Twice {
  /** Of the file. */
  readonly name: string;
  readonly held: Package;
  /** Ids of those that an earlier import brought. */
  readonly before: ReadonlySet<string>;
}

interface ImportedTwiceProps extends Twice {
  readonly close: () => void;
  readonly goOn: (sessions: readonly unknown[]) => void;
}

/** Asks what is to become of conversations that were imported before. */
function ImportedTwice({ held: { sessions }, before, close, goOn }: ImportedTwiceProps) {
  const { t } = useTexts();
  const isBefore = (session: unknown) => before.has(sourceOf(session) ?? "");
  const names = sessions.filter(isBefore).map((session) => String((session as { readonly name?: unknown }).name ?? ""));
  const others = sessions.filter((session) => !isBefore(session));
  return (
    <Dialog opened onClose={close} size="lg" title={t("importedTwice", { count: names.length })}>
      <Text size="sm" fw={600} className={textCss.doomed}>
        {someNames(names)}
      </Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <CancelButton />
        <Button variant="default" onClick={() => goOn(sessions)} data-testid="import-again">
          {t("importAgain", { count: names.length })}
        </Button>
        {others.length > 0 && (
          <Button onClick={() => goOn(others)} data-autofocus data-testid="import-others">
            {t("importOthers", { count: others.length })}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}

/** Which of the conversations of a file are here because they were imported before. */
async function importedBefore({ sessions }: Package): Promise<ReadonlySet<string>> {
  const wanted = new Set(sessions.flatMap((session) => sourceOf(session) ?? []));
  const found = new Set<string>();
  let cursor: string | undefined;
  while (wanted.size > 0) {
    const page = await parley.get("/api/sessions", { query: { ...ALL, archived: "all", ...(cursor && { cursor }) } });
    for (const { imported_from: from } of page.items) if (from !== null && wanted.has(from)) found.add(from);
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return found;
}

function send(name: string, part: string | File): Promise<Imported> {
  const form = new FormData();
  form.set("file", part instanceof File ? part : new Blob([part], { type: "application/json" }), name);
  return api.post<Imported>(IMPORT, form);
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

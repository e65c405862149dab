import { Alert, Button, Group, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";
import { type Compared, Differences, type FieldWords } from "./differences.tsx";
import { useCopy } from "./use-copy.ts";

/** What can be done where somebody else was faster with the same record. */
export interface Meanwhile {
  /** The record that is being changed. */
  readonly id: string;
  /** It is known to be gone, before anything was sent. */
  readonly isRemoved?: boolean;
  /** Shows what is stored by now; what was written here goes. */
  readonly theirs?: (() => unknown) | undefined;
  /**
   * Stores what was written here over what the refusal told of (`theirRevision`), and is refused where that is changed, too.
   * Where it told of none, what is stored by now has to be read before anything is written over it.
   */
  readonly mine?: (() => unknown) | undefined;
  /** What of the record can be told apart, field by field. */
  readonly compared?: Compared | undefined;
  /** Stores what was written here as a record of its own, where the one it belongs to is gone. */
  readonly anew?: (() => unknown) | undefined;
}

/** What became of a record while it was being changed here; undefined: the failure is about something else. */
export function meanwhileOf(error: unknown, { id, isRemoved }: Meanwhile): "changed" | "removed" | undefined {
  if (isRemoved) return "removed";
  if (!(error instanceof ApiError)) return undefined;
  if (error.key === "changed_meanwhile") return "changed";
  return error.code === "not_found" && error.params.id === id ? "removed" : undefined;
}

/** The revision of somebody else's that a refusal tells of; what is written over it is written over nothing newer. */
export function theirRevision(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.key !== "changed_meanwhile") return undefined;
  const revision = Number(error.params.revision);
  return Number.isInteger(revision) ? revision : undefined;
}

interface ChangedMeanwhileProps extends Omit<Meanwhile, "id" | "isRemoved"> {
  readonly what: "changed" | "removed";
  /** The refusal; absent: it was found out while somebody writes, whose place is not taken from them. */
  readonly error: unknown;
  /** What was written here, to be taken along. */
  readonly written?: () => string;
  /** What the fields are called. */
  readonly words?: (name: string) => FieldWords;
}

const NO_WORDS = (): FieldWords => ({});

/** Says that somebody else was faster, that nothing is lost, and what can be done. */
export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { what, error, theirs, mine, anew, written, compared, words = NO_WORDS } = props;
  const { t } = useTexts();
  const isQuiet = !error;
  const isOver = theirRevision(error) !== undefined;
  const [isAsked, setComparing] = useState(false);
  const isComparing = isAsked || !isOver;
  const box = useRef<HTMLDivElement>(null);
  // At the end of a long form nobody would see why it was not saved.
  useEffect(() => {
    if (!isQuiet) box.current?.scrollIntoView({ block: "nearest" });
  }, [isQuiet]);
  return (
    <Alert ref={box} color="yellow" my="sm" role="alert" data-testid="changed-meanwhile">
      <Text size="sm">{t(what === "removed" ? "removedMeanwhile" : "changedMeanwhile")}</Text>
      <Group gap="xs" mt="xs">
        {what === "removed" ? (
          <>
            {anew && <Deed label={t("createAnew")} run={anew} testId="create-anew" />}
            {written && <Copy written={written} />}
          </>
        ) : (
          <>
            {compared && !isComparing && (
              <Deed label={t("seeDifferences")} run={() => setComparing(true)} testId="see-differences" />
            )}
            {theirs && <Deed label={t("loadTheirs")} run={theirs} testId="load-theirs" />}
            {mine && isOver && <Deed label={t("overwriteTheirs")} run={mine} testId="save-anyway" />}
          </>
        )}
      </Group>
      {compared && isComparing && what === "changed" && <Differences {...compared} words={words} />}
    </Alert>
  );
}

interface DeedProps {
  readonly label: string;
  readonly run: () => unknown;
  readonly testId: string;
}

function Deed({ label, run, testId }: DeedProps) {
  return (
    <Button size="compact-sm" variant="default" onClick={() => void run()} data-testid={testId}>
      {label}
    </Button>
  );
}

function Copy({ written }: { readonly written: () => string }) {
  const { t } = useTexts();
  const { isCopied, copy } = useCopy(written);
  return copy && <Deed label={t(isCopied ? "copied" : "copyWritten")} run={copy} testId="copy-written" />;
}

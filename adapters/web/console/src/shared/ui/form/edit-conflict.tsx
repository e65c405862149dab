import { Alert, Button, Group, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { useTexts } from "../../i18n/i18n.ts";
import { useCopy } from "../text/use-copy.ts";
import { type Comparison, Differences, type FieldInfo } from "./conflict-differences.tsx";

/** Ways out of an edit conflict. */
export interface EditConflict {
  readonly id: string;
  /** True when the record is known to be deleted, before anything was sent. */
  readonly isRemoved?: boolean;
  /** Discards the draft and shows the stored record. */
  readonly onTakeTheirs?: (() => unknown) | undefined;
  /**
   * Overwrites the revision that the conflict named (`getConflictRevision`); another conflict if that has changed too.
   * Where none was named, the stored record must be read first.
   */
  readonly onKeepMine?: (() => unknown) | undefined;
  /** The values to compare, field by field. */
  readonly comparison?: Comparison | undefined;
  /** Saves the draft as a new record, where the original is deleted. */
  readonly onSaveAsNew?: (() => unknown) | undefined;
}

/** Returns the kind of conflict; undefined where the error is about something else. */
export function getConflictKind(error: unknown, { id, isRemoved }: EditConflict): "changed" | "removed" | undefined {
  if (isRemoved) return "removed";
  if (!(error instanceof ApiError)) return undefined;
  if (error.key === "changed_meanwhile") return "changed";
  return error.code === "not_found" && error.params.id === id ? "removed" : undefined;
}

/** Returns the conflicting revision of an error, so that an overwrite replaces nothing newer; undefined where it has none. */
export function getConflictRevision(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.key !== "changed_meanwhile") return undefined;
  const revision = Number(error.params.revision);
  return Number.isInteger(revision) ? revision : undefined;
}

interface EditConflictNoticeProps extends Omit<EditConflict, "id" | "isRemoved"> {
  readonly kind: "changed" | "removed";
  /** The conflict; undefined when it was noticed while typing, in which case the focus stays. */
  readonly error: unknown;
  /** Formats the draft as text to copy. */
  readonly toText?: () => string;
  /** Returns label and options of a field. */
  readonly fieldInfo?: (name: string) => FieldInfo;
}

const NO_FIELD_INFO = (): FieldInfo => ({});

/** Reports an edit conflict, and offers the ways out; nothing is lost. */
export function EditConflictNotice(props: EditConflictNoticeProps) {
  const { kind, error, onTakeTheirs, onKeepMine, onSaveAsNew, toText, comparison, fieldInfo = NO_FIELD_INFO } = props;
  const { t } = useTexts();
  const isQuiet = !error;
  const hasRevision = getConflictRevision(error) !== undefined;
  const [isCompareOpen, setComparing] = useState(false);
  const isComparing = isCompareOpen || !hasRevision;
  const box = useRef<HTMLDivElement>(null);
  // In a long form the notice may be out of view.
  useEffect(() => {
    if (!isQuiet) box.current?.scrollIntoView({ block: "nearest" });
  }, [isQuiet]);
  return (
    <Alert ref={box} color="yellow" my="sm" role="alert" data-testid="changed-meanwhile">
      <Text size="sm">{t(kind === "removed" ? "removedMeanwhile" : "changedMeanwhile")}</Text>
      <Group gap="xs" mt="xs">
        {kind === "removed" ? (
          <>
            {onSaveAsNew && <ActionButton label={t("createAgain")} run={onSaveAsNew} testId="create-anew" />}
            {toText && <CopyButton toText={toText} />}
          </>
        ) : (
          <>
            {comparison && !isComparing && (
              <ActionButton label={t("seeDifferences")} run={() => setComparing(true)} testId="see-differences" />
            )}
            {onTakeTheirs && <ActionButton label={t("loadTheirs")} run={onTakeTheirs} testId="load-theirs" />}
            {onKeepMine && hasRevision && (
              <ActionButton label={t("overwriteTheirs")} run={onKeepMine} testId="save-anyway" />
            )}
          </>
        )}
      </Group>
      {comparison && isComparing && kind === "changed" && <Differences {...comparison} fieldInfo={fieldInfo} />}
    </Alert>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly run: () => unknown;
  readonly testId: string;
}

function ActionButton({ label, run, testId }: ActionButtonProps) {
  return (
    <Button size="compact-sm" variant="default" onClick={() => void run()} data-testid={testId}>
      {label}
    </Button>
  );
}

function CopyButton({ toText }: { readonly toText: () => string }) {
  const { t } = useTexts();
  const { isCopied, copy } = useCopy(toText);
  return copy && <ActionButton label={t(isCopied ? "copied" : "copyWritten")} run={copy} testId="copy-written" />;
}

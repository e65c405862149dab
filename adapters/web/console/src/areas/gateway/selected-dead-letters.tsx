import { Alert, Button, CloseButton, Group, Text } from "@mantine/core";
import { useState } from "react";
import { type DeadLetter, gateway, type RetryResult } from "../../shared/api/gateway.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { listNames } from "../../shared/ui/text/list-names.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["gateway"]] as const;

/** Outcome of a bulk action. */
export type BulkResult = RetryResult | { readonly discarded: number };

interface SelectedDeadLettersProps {
  readonly selected: readonly DeadLetter[];
  /** Called with the outcome; ends the selection. */
  readonly onDone: (result: BulkResult) => void;
}

/** Actions on all selected dead letters. */
export function SelectedDeadLetters({ selected, onDone }: SelectedDeadLettersProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [isAsking, setAsking] = useState(false);
  const ids = selected.map(({ item_id }) => item_id);
  const possibleDuplicates = new Set(selected.filter(isPossibleDuplicate).map(({ item_id }) => item_id));
  const retry = (some: readonly string[], isConfirmed: boolean) =>
    toHandler(async () => {
      const result = await gateway.retryAll(some, isConfirmed);
      setAsking(false);
      onDone(result);
    });
  const discard = toHandler(async () => onDone(await gateway.discardAll(ids, "dismissed in the console")), {
    throws: true,
  });
  return (
    <>
      <Group gap="xs" className={tableCss.selectionBar} role="toolbar" data-testid="selected-dead-letters">
        <Text size="sm" role="status">
          {t("selectedCount", { count: ids.length })}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          loading={isBusy}
          onClick={possibleDuplicates.size > 0 ? () => setAsking(true) : retry(ids, false)}
        >
          {t("retrySelected")}
        </Button>
        <ConfirmButton
          label={t("dismissSelected")}
          what={listNames(selected.map(({ preview }) => preview))}
          text={t("dismissSelectedHint", { count: ids.length })}
          run={discard}
        />
      </Group>
      {!isAsking && <Failure error={error} />}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={t("retrySelected")}>
        <Text size="sm" fw={600} mb={4} className={textCss.wrapped}>
          {listNames(selected.filter(isPossibleDuplicate).map(({ preview }) => preview))}
        </Text>
        <Text size="sm">{t("retryDuplicatesHint", { count: possibleDuplicates.size, all: ids.length })}</Text>
        <Failure error={error} />
        <Group justify="flex-end" mt="md" gap="xs">
          {possibleDuplicates.size < ids.length && (
            <Button
              variant="default"
              loading={isBusy}
              onClick={retry(
                ids.filter((id) => !possibleDuplicates.has(id)),
                false,
              )}
              data-autofocus
            >
              {t("retryTheRest", { count: ids.length - possibleDuplicates.size })}
            </Button>
          )}
          <Button color="red" loading={isBusy} onClick={retry(ids, true)}>
            {t("retryEach", { count: ids.length })}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}

const isPossibleDuplicate = ({ suggested_action }: DeadLetter) => suggested_action === "review_duplicate";

interface BulkResultNoticeProps {
  readonly result: BulkResult;
  readonly setResult: (result: BulkResult | undefined) => void;
}

/** The outcome of a bulk action; entries that need a confirmation can be retried here. */
export function BulkResultNotice({ result, setResult }: BulkResultNoticeProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const unconfirmed = "items" in result ? result.items.filter(({ result }) => result === "needs_confirmation") : [];
  const retryAnyway = toHandler(async () => {
    setResult(
      await gateway.retryAll(
        unconfirmed.map(({ item_id }) => item_id),
        true,
      ),
    );
  });
  return (
    <Alert color="parley" my="sm" role="status" data-testid="letters-report">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          {useResultLines(result).map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
          {unconfirmed.length > 0 && (
            <Button mt="xs" size="compact-sm" variant="light" color="red" loading={isBusy} onClick={retryAnyway}>
              {t("retryAnyway")}
            </Button>
          )}
        </div>
        <CloseButton aria-label={t("close")} onClick={() => setResult(undefined)} />
      </Group>
      <Failure error={error} />
    </Alert>
  );
}

/** Returns one line per outcome, and for failures one per reason. */
function useResultLines(result: BulkResult): readonly string[] {
  const { t } = useTexts();
  if (!("items" in result)) return [t("wereDismissed", { count: result.discarded })];
  const failed = result.items.filter(({ result }) => result === "failed");
  const reasons = Map.groupBy(failed, ({ error = "" }) => error);
  return [
    t("wasRetried", { count: result.retried }),
    ...(result.needs_confirmation > 0 ? [t("notConfirmed", { count: result.needs_confirmation })] : []),
    ...(result.gone > 0 ? [t("wereGone", { count: result.gone })] : []),
    ...[...reasons].map(([why, { length }]) => t("couldNotRetry", { count: length, why })),
  ];
}

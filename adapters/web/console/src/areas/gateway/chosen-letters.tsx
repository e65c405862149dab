import { Alert, Button, CloseButton, Group, Text } from "@mantine/core";
import { useState } from "react";
import { type DeadLetter, gateway, type RetriedItems } from "../../shared/api/gateway.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, localSentence, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { someNames } from "../../shared/ui/some-names.ts";
import tableCss from "../../shared/ui/table.module.css";
import { useTexts } from "./texts.ts";

const CHANGED = [["gateway"]] as const;

/** What came of what was done with several. */
export type BulkReport = RetriedItems | { readonly discarded: number };

interface ChosenLettersProps {
  readonly chosen: readonly DeadLetter[];
  /** Ends the choosing. */
  readonly done: (report: BulkReport) => void;
}

/** What is done with all that are chosen. */
export function ChosenLetters({ chosen, done }: ChosenLettersProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const [isAsking, setAsking] = useState(false);
  const ids = chosen.map(({ item_id }) => item_id);
  const maybe = new Set(chosen.filter(isDoubtful).map(({ item_id }) => item_id));
  const retry = (some: readonly string[], isConfirmed: boolean) =>
    tried(async () => {
      const report = await gateway.retryAll(some, isConfirmed);
      setAsking(false);
      done(report);
    });
  const putAside = tried(async () => done(await gateway.putAllAside(ids, "put aside in the console")), {
    throws: true,
  });
  return (
    <>
      <Group gap="xs" className={tableCss.chosen} role="toolbar" data-testid="chosen-letters">
        <Text size="sm" role="status">
          {t("lettersChosen", { count: ids.length })}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          loading={isBusy}
          onClick={maybe.size > 0 ? () => setAsking(true) : retry(ids, false)}
        >
          {t("retryChosen")}
        </Button>
        <ConfirmButton
          label={t("putChosenAside")}
          what={someNames(chosen.map(({ preview }) => preview))}
          text={t("lettersAside", { count: ids.length })}
          run={putAside}
        />
      </Group>
      {!isAsking && <Failure error={error} />}
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={t("retryChosen")}>
        <Text size="sm" fw={600} mb={4} className={textCss.doomed}>
          {someNames(chosen.filter(isDoubtful).map(({ preview }) => preview))}
        </Text>
        <Text size="sm">{t("someMayComeTwice", { count: maybe.size, all: ids.length })}</Text>
        <Failure error={error} />
        <Group justify="flex-end" mt="md" gap="xs">
          {maybe.size < ids.length && (
            <Button
              variant="default"
              loading={isBusy}
              onClick={retry(
                ids.filter((id) => !maybe.has(id)),
                false,
              )}
              data-autofocus
            >
              {t("retryTheRest", { count: ids.length - maybe.size })}
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

const isDoubtful = ({ suggested_action }: DeadLetter) => suggested_action === "review_duplicate";

interface LettersReportProps {
  readonly report: BulkReport;
  readonly show: (report: BulkReport | undefined) => void;
}

/** What became of them; what needs a word can be tried again from here. */
export function LettersReport({ report, show }: LettersReportProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const doubtful = "items" in report ? report.items.filter(({ result }) => result === "needs_confirmation") : [];
  const anyway = tried(async () => {
    show(
      await gateway.retryAll(
        doubtful.map(({ item_id }) => item_id),
        true,
      ),
    );
  });
  return (
    <Alert color="parley" my="sm" role="status" data-testid="letters-report">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          {useReportLines(report).map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
          {doubtful.length > 0 && (
            <Button mt="xs" size="compact-sm" variant="light" color="red" loading={isBusy} onClick={anyway}>
              {t("retryAnyway")}
            </Button>
          )}
        </div>
        <CloseButton aria-label={t("close")} onClick={() => show(undefined)} />
      </Group>
      <Failure error={error} />
    </Alert>
  );
}

/** One for each outcome; of what failed one for each reason. */
function useReportLines(report: BulkReport): readonly string[] {
  const { t } = useTexts();
  if (!("items" in report)) return [t("wereDismissed", { count: report.discarded })];
  const failed = report.items.filter(({ result }) => result === "failed");
  const reasons = Map.groupBy(failed, ({ error = "", detail }) => localSentence(error, detail ?? null));
  return [
    t("wasRetried", { count: report.retried }),
    ...(report.needs_confirmation > 0 ? [t("needsWord", { count: report.needs_confirmation })] : []),
    ...(report.gone > 0 ? [t("wereGone", { count: report.gone })] : []),
    ...[...reasons].map(([why, { length }]) => t("couldNotRetry", { count: length, why })),
  ];
}

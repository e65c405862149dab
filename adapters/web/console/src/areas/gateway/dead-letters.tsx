import { Button, Checkbox, Group, NativeSelect, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type DeadLetter, gateway } from "../../shared/api/gateway.ts";
import { Failure, formatShortTime, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RequireChangeScope, useCanChange } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow, type RowSelection } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { ChannelSelect } from "./channel-select.tsx";
import { type BulkResult, BulkResultNotice, SelectedDeadLetters } from "./selected-dead-letters.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const POLL_MS = 5_000;
const PAGE_SIZE = 20;
/** Maximum dead letters per request, as in the service. */
const MAX_SELECTION = 500;
const QUERY_KEYS = [["gateway"]] as const;
const CAUSES: Readonly<Record<string, TextKey>> = {
  outcome_unknown: "cause_outcome_unknown",
  no_sender: "cause_no_sender",
  auth: "cause_auth",
  permanent: "cause_permanent",
  payload: "cause_payload",
  unavailable: "cause_unavailable",
  crash_loop: "cause_crash_loop",
  channel_removed: "cause_channel_removed",
};

interface DeadLettersProps {
  readonly openTrace: (traceId: string) => void;
}

/** The dead letters, to retry or dismiss one by one or several at once. */
export function DeadLetters({ openTrace }: DeadLettersProps) {
  const { t } = useTexts();
  const canChange = useCanChange();
  const [filter, setFilter] = useState(NO_FILTER);
  const [selected, setSelected] = useState<Selection>(NO_SELECTION);
  const [result, setResult] = useState<BulkResult>();
  const letters = usePagedList({
    queryKey: ["gateway", "dead", filter],
    read: (page) => gateway.listDeadLetters({ ...toQuery(filter), ...page }),
    getId: ({ item_id }) => item_id,
    pageSize: PAGE_SIZE,
    refetchMs: POLL_MS,
    retry: false,
  });
  return (
    <section aria-labelledby="dead-letters">
      <Group justify="space-between" mt="xl" mb={4} gap="xs">
        <Title order={2} size="h4" id="dead-letters">
          {t("deadLetters")}
        </Title>
        <DeadLetterFilter
          filter={filter}
          onChange={(next) => {
            setFilter(next);
            setSelected(NO_SELECTION);
          }}
        />
      </Group>
      {result && <BulkResultNotice result={result} setResult={setResult} />}
      <RecordList
        query={letters}
        getId={({ item_id }) => item_id}
        columns={[t("whatItIs"), t("channel"), t("why"), t("lastTried")]}
        actions={t("tryAgain")}
        selection={canChange ? t("selectedColumn") : undefined}
        empty={
          <Text c="dimmed" size="sm">
            {t(filter === NO_FILTER ? "noDeadLetters" : "noLetterMatches")}
          </Text>
        }
        above={
          <>
            <Text size="sm" c="dimmed">
              {t("deadLettersHint")}
            </Text>
            <RequireChangeScope>
              <SelectAll filter={filter} total={letters.data?.total ?? 0} selected={selected} onSelect={setSelected} />
              {selected.size > 0 && (
                <SelectedDeadLetters
                  selected={[...selected.values()]}
                  onDone={(found) => {
                    setResult(found);
                    setSelected(NO_SELECTION);
                  }}
                />
              )}
            </RequireChangeScope>
          </>
        }
        row={(letter) => (
          <DeadLetterRow
            letter={letter}
            openTrace={openTrace}
            selection={canChange ? toRowSelection(letter, selected, setSelected, t) : undefined}
          />
        )}
      />
    </section>
  );
}

interface Filter {
  /** An id; empty for all. */
  readonly channelId: string;
  readonly cause: string;
}

const NO_FILTER: Filter = { channelId: "", cause: "" };
const toQuery = ({ channelId, cause }: Filter) => ({
  ...(channelId && { channel_id: channelId }),
  ...(cause && { cause }),
});

function DeadLetterFilter({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}) {
  const { t } = useTexts();
  // An empty filter is always this object, so that it can be compared.
  const change = (next: Filter) => onChange(next.channelId === "" && next.cause === "" ? NO_FILTER : next);
  return (
    <Group gap="xs">
      <ChannelSelect
        channelId={filter.channelId}
        onChange={(channelId) => change({ ...filter, channelId })}
        testId="letters-channel"
      />
      <NativeSelect
        size="xs"
        aria-label={t("why")}
        value={filter.cause}
        onChange={({ currentTarget }) => change({ ...filter, cause: currentTarget.value })}
        data={[
          { value: "", label: t("anyCause") },
          ...Object.entries(CAUSES).map(([value, text]) => ({ value, label: t(text) })),
        ]}
        data-testid="letters-cause"
      />
    </Group>
  );
}

/** Selected dead letters by item id. */
type Selection = ReadonlyMap<string, DeadLetter>;

const NO_SELECTION: Selection = new Map();

interface SelectionProps {
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
}

interface SelectAllProps extends SelectionProps {
  readonly filter: Filter;
  readonly total: number;
}

/** Selects all matches of the filter, at most `MAX_SELECTION`, including those not shown. */
function SelectAll({ filter, total, selected, onSelect }: SelectAllProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction([]);
  const isAllSelected = selected.size >= Math.min(total, MAX_SELECTION);
  const selectAll = toHandler(async () => {
    const { items } = await gateway.listDeadLetters({ ...toQuery(filter), limit: MAX_SELECTION });
    onSelect(new Map(items.map((letter) => [letter.item_id, letter])));
  });
  return (
    <>
      <Checkbox
        mt="xs"
        size="xs"
        disabled={isBusy}
        label={total > MAX_SELECTION ? t("selectNewest", { most: MAX_SELECTION, total }) : t("selectAll", { total })}
        checked={isAllSelected}
        indeterminate={selected.size > 0 && !isAllSelected}
        onChange={isAllSelected ? () => onSelect(NO_SELECTION) : selectAll}
        data-testid="select-letters"
      />
      <Failure error={error} />
    </>
  );
}

function toRowSelection(
  letter: DeadLetter,
  selected: Selection,
  onSelect: (selected: Selection) => void,
  t: ReturnType<typeof useTexts>["t"],
): RowSelection {
  return {
    label: t("selectOne", { text: letter.preview }),
    isSelected: selected.has(letter.item_id),
    toggle() {
      const next = new Map(selected);
      if (!next.delete(letter.item_id)) next.set(letter.item_id, letter);
      onSelect(next);
    },
  };
}

interface DeadLetterRowProps extends DeadLettersProps {
  readonly letter: DeadLetter;
  readonly selection: RowSelection | undefined;
}

function DeadLetterRow({ letter, openTrace, selection }: DeadLetterRowProps) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { item_id, trace_id, channel_id, conversation_id, cause, last_at, preview, suggested_action } = letter;
  const channelName = useChannelName();
  const causeText = CAUSES[cause];
  const isPossibleDuplicate = suggested_action === "review_duplicate";
  return (
    <RecordRow
      testId="dead-letter"
      selection={selection}
      cells={[
        <>
          {preview}
          <Failure error={error} />
        </>,
        `${channelName(channel_id)} · ${conversation_id}`,
        <>
          {causeText ? t(causeText) : cause}
          {letter.error && (
            <Text size="xs" c="dimmed">
              {letter.error}
            </Text>
          )}
        </>,
        <span key="time" style={{ whiteSpace: "nowrap" }}>
          {formatShortTime(last_at, language)}
        </span>,
      ]}
      actions={
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => openTrace(trace_id)}>
            {t("showTrace")}
          </Button>
          {isPossibleDuplicate ? (
            <ConfirmButton
              label={t("tryAgain")}
              what={preview}
              text={t("retryDuplicateHint")}
              run={toHandler(() => gateway.retry(item_id, true), { throws: true })}
            />
          ) : (
            <RequireChangeScope>
              <Button
                size="compact-sm"
                variant="subtle"
                loading={isBusy}
                onClick={toHandler(() => gateway.retry(item_id, false))}
              >
                {t("tryAgain")}
              </Button>
            </RequireChangeScope>
          )}
          <ConfirmButton
            label={t("dismiss")}
            what={preview}
            text={t("dismissHint")}
            run={toHandler(() => gateway.discard(item_id, "dismissed in the console"), { throws: true })}
          />
        </>
      }
    />
  );
}

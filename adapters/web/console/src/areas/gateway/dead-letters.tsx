import { Button, Checkbox, Group, NativeSelect, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DeadLetter, gateway } from "../../shared/api/gateway.ts";
import { Failure, Loaded, localSentence, shortTimeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Changes, useMayChange } from "../../shared/ui/may-change.tsx";
import { RecordRow, RecordTable, type RowChoice } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { useChannelName } from "../../shared/ui/use-channel-name.ts";
import { ChannelChoice } from "./channel-choice.tsx";
import { type BulkReport, ChosenLetters, LettersReport } from "./chosen-letters.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const OFTEN = 5_000;
const STEP = 20;
/** What the service takes at once. */
const MOST = 500;
const CHANGED = [["gateway"]] as const;
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
  readonly open: (traceId: string) => void;
}

/** What was given up and waits for a person, who tries it again or puts it aside: each, or several at once. */
export function DeadLetters({ open }: DeadLettersProps) {
  const { t } = useTexts();
  const longer = useLonger(STEP);
  const { limit } = longer;
  const [filter, setFilter] = useState(EVERYTHING);
  const [chosen, setChosen] = useState<Chosen>(NONE);
  const [report, setReport] = useState<BulkReport>();
  const letters = useQuery({
    queryKey: ["gateway", "dead", filter, limit],
    queryFn: () => gateway.deadLetters({ ...queryOf(filter), limit }),
    refetchInterval: OFTEN,
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <section aria-labelledby="given-up">
      <Group justify="space-between" mt="xl" mb={4} gap="xs">
        <Title order={2} size="h4" id="given-up">
          {t("givenUp")}
        </Title>
        <LetterFilter
          filter={filter}
          put={(next) => {
            setFilter(next);
            setChosen(NONE);
            longer.restart();
          }}
        />
      </Group>
      {report && <LettersReport report={report} show={setReport} />}
      <Loaded query={letters}>
        {({ items, total }) =>
          total === 0 ? (
            <Text c="dimmed" size="sm">
              {t(filter === EVERYTHING ? "nothingGivenUp" : "noLetterMatches")}
            </Text>
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {t("givenUpHint")}
              </Text>
              <Changes>
                <ChooseAll filter={filter} total={total} chosen={chosen} choose={setChosen} />
                {chosen.size > 0 && (
                  <ChosenLetters
                    chosen={[...chosen.values()]}
                    done={(found) => {
                      setReport(found);
                      setChosen(NONE);
                    }}
                  />
                )}
              </Changes>
              <LetterTable letters={items} open={open} chosen={chosen} choose={setChosen} />
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface Filter {
  /** An id; empty for all. */
  readonly channel: string;
  readonly cause: string;
}

const EVERYTHING: Filter = { channel: "", cause: "" };
const queryOf = ({ channel, cause }: Filter) => ({
  ...(channel && { channel_id: channel }),
  ...(cause && { cause }),
});

function LetterFilter({ filter, put }: { readonly filter: Filter; readonly put: (filter: Filter) => void }) {
  const { t } = useTexts();
  // Without a choice it is the same as at the beginning.
  const change = (next: Filter) => put(next.channel === "" && next.cause === "" ? EVERYTHING : next);
  return (
    <Group gap="xs">
      <ChannelChoice
        channel={filter.channel}
        put={(channel) => change({ ...filter, channel })}
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

/** By their ids. */
type Chosen = ReadonlyMap<string, DeadLetter>;

const NONE: Chosen = new Map();

interface ChoiceProps {
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
}

interface ChooseAllProps extends ChoiceProps {
  readonly filter: Filter;
  readonly total: number;
}

/** Chooses all that match the filter, also those that are not shown. */
function ChooseAll({ filter, total, chosen, choose }: ChooseAllProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried([]);
  const isAll = chosen.size >= Math.min(total, MOST);
  const all = tried(async () => {
    const { items } = await gateway.deadLetters({ ...queryOf(filter), limit: MOST });
    choose(new Map(items.map((letter) => [letter.item_id, letter])));
  });
  return (
    <>
      <Checkbox
        mt="xs"
        size="xs"
        disabled={isBusy}
        label={total > MOST ? t("chooseNewestLetters", { most: MOST, total }) : t("chooseAllLetters", { total })}
        checked={isAll}
        indeterminate={chosen.size > 0 && !isAll}
        onChange={isAll ? () => choose(NONE) : all}
        data-testid="choose-letters"
      />
      <Failure error={error} />
    </>
  );
}

interface LetterTableProps extends DeadLettersProps, ChoiceProps {
  readonly letters: readonly DeadLetter[];
}

function LetterTable({ letters, open, chosen, choose }: LetterTableProps) {
  const { t } = useTexts();
  const mayChange = useMayChange();
  const choiceOf = (letter: DeadLetter): RowChoice => ({
    label: t("chooseLetter", { text: letter.preview }),
    isChosen: chosen.has(letter.item_id),
    toggle() {
      const next = new Map(chosen);
      if (!next.delete(letter.item_id)) next.set(letter.item_id, letter);
      choose(next);
    },
  });
  return (
    <RecordTable
      columns={[t("whatItIs"), t("channel"), t("why"), t("lastTried")]}
      actions={t("tryAgain")}
      choice={mayChange ? t("chosenColumn") : undefined}
    >
      {letters.map((letter) => (
        <LetterRow key={letter.item_id} letter={letter} open={open} choice={mayChange ? choiceOf(letter) : undefined} />
      ))}
    </RecordTable>
  );
}

interface LetterRowProps extends DeadLettersProps {
  readonly letter: DeadLetter;
  readonly choice: RowChoice | undefined;
}

function LetterRow({ letter, open, choice }: LetterRowProps) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { item_id, trace_id, channel_id, conversation_id, cause, last_at, preview, suggested_action } = letter;
  const channel = useChannelName();
  const known = CAUSES[cause];
  const mayComeTwice = suggested_action === "review_duplicate";
  return (
    <RecordRow
      testId="dead-letter"
      choice={choice}
      cells={[
        <>
          {preview}
          <Failure error={error} />
        </>,
        `${channel(channel_id)} · ${conversation_id}`,
        <>
          {known ? t(known) : cause}
          {letter.error && (
            <Text size="xs" c="dimmed">
              {localSentence(letter.error, letter.error_detail ?? null)}
            </Text>
          )}
        </>,
        <span key="time" style={{ whiteSpace: "nowrap" }}>
          {shortTimeOf(last_at, language)}
        </span>,
      ]}
      actions={
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => open(trace_id)}>
            {t("showTrace")}
          </Button>
          {mayComeTwice ? (
            <ConfirmButton
              label={t("tryAgain")}
              what={preview}
              text={t("mayComeTwice")}
              run={tried(() => gateway.retry(item_id, true), { throws: true })}
            />
          ) : (
            <Changes>
              <Button
                size="compact-sm"
                variant="subtle"
                loading={isBusy}
                onClick={tried(() => gateway.retry(item_id, false))}
              >
                {t("tryAgain")}
              </Button>
            </Changes>
          )}
          <ConfirmButton
            label={t("putAside")}
            what={preview}
            text={t("putAsideHint")}
            run={tried(() => gateway.putAside(item_id, "put aside in the console"), { throws: true })}
          />
        </>
      }
    />
  );
}

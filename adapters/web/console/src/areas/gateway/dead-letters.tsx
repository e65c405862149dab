import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type DeadLetter, gateway } from "../../shared/api/gateway.ts";
import { Failure, Loaded, localSentence, shortTimeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { useChannelName } from "./use-channel-name.ts";

const OFTEN = 5_000;
const STEP = 20;
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

/** What was given up and waits for a person, who tries it again or puts it aside. */
export function DeadLetters({ open }: DeadLettersProps) {
  const { t } = useTexts();
  const longer = useLonger(STEP);
  const { limit } = longer;
  const letters = useQuery({
    queryKey: ["gateway", "dead", limit],
    queryFn: () => gateway.deadLetters(limit),
    refetchInterval: OFTEN,
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <section aria-labelledby="given-up">
      <Title order={2} size="h4" id="given-up" mt="xl">
        {t("givenUp")}
      </Title>
      <Loaded query={letters}>
        {({ items, total }) =>
          total === 0 ? (
            <Text c="dimmed" size="sm">
              {t("nothingGivenUp")}
            </Text>
          ) : (
            <>
              <Text size="sm" c="dimmed">
                {t("givenUpHint")}
              </Text>
              <RecordTable columns={[t("whatItIs"), t("channel"), t("why"), t("lastTried")]} actions={t("tryAgain")}>
                {items.map((letter) => (
                  <LetterRow key={letter.item_id} letter={letter} open={open} />
                ))}
              </RecordTable>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function LetterRow({ letter, open }: DeadLettersProps & { readonly letter: DeadLetter }) {
  const { t, language } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const { item_id, trace_id, channel_id, conversation_id, cause, last_at, preview, suggested_action } = letter;
  const channel = useChannelName();
  const known = CAUSES[cause];
  const mayComeTwice = suggested_action === "review_duplicate";
  return (
    <RecordRow
      testId="dead-letter"
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

import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { durationOf } from "../../shared/i18n/durations.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { filter, type RuleDraft, type RuleType, type SeenRule } from "./api.ts";
import { RuleBelongs } from "./rule-belongs.tsx";
import { RulePlace } from "./rule-place.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["filter_rule"]] as const;
const NEW: RuleDraft = {
  pattern: "",
  type: "keyword",
  action: "strip",
  filter_target: "user",
  channel: "global",
  session_id: "",
};

interface RuleFormProps {
  /** Absent: a new one. */
  readonly rule?: SeenRule;
  /** Shows what is stored by now. */
  readonly release?: () => void;
  /** It is stored; with what the service says about it. */
  readonly stored: (warnings: Partial<ListedWarnings>) => void;
  readonly done: () => void;
}

export function RuleForm({ rule, release, stored, done }: RuleFormProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<RuleDraft>(rule ?? NEW);
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const { pattern, type, filter_target, channel, session_id } = draft;
  const store = (change: () => Promise<{ readonly data: Partial<ListedWarnings> }>) =>
    tried(async () => {
      const { data } = await change();
      await readAgain(queries, ["filter_rule"]);
      stored(data);
    });
  const create = store(() => filter.create({ ...written(draft), channel, session_id }));
  const change = ({ id }: SeenRule, ifMatch: number | undefined) =>
    store(() => filter.update(id, written(draft), ifMatch));
  const meanwhile = rule && {
    id: rule.id,
    theirs: tried(async () => release?.()),
    compared: compared<RuleDraft>(written(draft), async () => written(await filter.get(rule.id)), put),
    mine: change(rule, theirRevision(error)),
    anew: create,
  };
  return (
    <Form
      isChanged={!isSame(draft, rule ?? NEW)}
      error={error}
      submit={rule ? change(rule, rule.revision) : create}
      meanwhile={meanwhile}
    >
      <Stack gap="sm">
        <At name="pattern">
          <TextInput
            label={t("pattern")}
            value={pattern}
            onChange={({ currentTarget }) => put({ pattern: currentTarget.value })}
            required
            data-autofocus
            data-testid="rule-pattern"
          />
        </At>
        <At name="type">
          <NativeSelect
            label={t("kindOfRule")}
            value={type}
            onChange={({ currentTarget }) => put({ type: currentTarget.value as RuleType })}
            data={[
              { value: "keyword", label: t("keyword") },
              { value: "regex", label: t("regex") },
            ]}
          />
        </At>
        {type === "keyword" && (
          <At name="whole_word">
            <Checkbox
              label={t("wholeWord")}
              description={t("wholeWordHint")}
              checked={draft.whole_word === true}
              onChange={({ currentTarget }) => put({ whole_word: currentTarget.checked })}
              data-testid="whole-word"
            />
          </At>
        )}
        <RulePlace value={draft} put={put} isFixed={rule !== undefined} />
        <RuleBelongs value={draft} put={put} />
        {filter_target !== "user" && (
          <Text size="xs" c="dimmed" data-testid="streaming-cost">
            {t("streamingCost")}
          </Text>
        )}
        <RuleTrial draft={draft} />
        <FormFailure />
        <Group justify="flex-end">
          <Button variant="default" onClick={done}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={isBusy} data-testid="save-rule">
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** What of a rule is written: where it counts stays. */
function written(draft: RuleDraft) {
  const {
    pattern,
    type,
    action,
    replacement = "",
    whole_word = false,
    group = "",
    window = null,
    filter_target,
  } = draft;
  return { pattern, type, action, replacement, whole_word, group, window, filter_target };
}

/** What the rule being written, together with those in force, does to a text. */
function RuleTrial({ draft }: { readonly draft: RuleDraft }) {
  const { t, language } = useTexts();
  const [text, setText] = useState("");
  const { pattern, type, action, replacement = "", window = null, filter_target, channel, session_id } = draft;
  const { whole_word = false } = draft;
  const target = filter_target === "ai" ? "ai" : "user";
  const asked = useDeferredValue(
    JSON.stringify({
      text,
      target,
      channel,
      session_id,
      rule: { pattern, type, action, replacement, whole_word, window },
    }),
  );
  const trial = useQuery({
    queryKey: ["rule_trial", asked],
    queryFn: () => filter.test(JSON.parse(asked)),
    enabled: text !== "" && pattern.trim() !== "" && (action !== "replace" || replacement.trim() !== ""),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { data, error } = trial;
  const resting = (data?.matches ?? [])
    .filter(({ outside_window }) => outside_window)
    .map((match) => (match.reach === "trial" ? t("thisRule") : match.pattern));
  return (
    <div>
      <Textarea
        label={t("tryText")}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autosize
        minRows={2}
        maxRows={6}
        data-testid="rule-sample"
      />
      <Failure error={text !== "" && pattern.trim() !== "" ? error : undefined} />
      {data && text !== "" && !error && (
        <Text size="sm" mt={6} role="status" data-testid="rule-trial">
          {data.blocked ? (
            t("blockedWhole")
          ) : data.filtered ? (
            <>
              {t("leaves")} <q>{data.content}</q>
            </>
          ) : (
            resting.length === 0 && t("untouched")
          )}{" "}
          {data.skipped.length > 0 && t("skippedRules")}{" "}
          {resting.length > 0 && `${t("outsideTimes", { names: resting.join(", ") })} `}
          <span>{durationOf(data.duration_ms, language)}</span>
        </Text>
      )}
    </div>
  );
}

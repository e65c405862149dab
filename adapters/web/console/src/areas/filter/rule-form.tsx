import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { isDeepEqual } from "../../resource/form/fields.ts";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { filter, type ReadRule, type RuleDraft, type RuleType } from "./api.ts";
import { RuleSchedule } from "./rule-schedule.tsx";
import { RuleScope } from "./rule-scope.tsx";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["filter_rule"]] as const;
const NEW_RULE: RuleDraft = {
  pattern: "",
  type: "keyword",
  action: "strip",
  filter_target: "user",
  channel: "global",
  session_id: "",
};

interface RuleFormProps {
  /** Absent: a new one. */
  readonly rule?: ReadRule;
  /** Discards the draft and shows the stored rule. */
  readonly release?: () => void;
  /** Called after saving, with the service's warnings. */
  readonly onStored: (warnings: Partial<ListedWarnings>) => void;
  readonly onDone: () => void;
}

export function RuleForm({ rule, release, onStored, onDone }: RuleFormProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<RuleDraft>(rule ?? NEW_RULE);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (patch: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const { pattern, type, filter_target, channel, session_id } = draft;
  const store = (change: () => Promise<{ readonly data: Partial<ListedWarnings> }>) =>
    toHandler(async () => {
      const { data } = await change();
      await refetch(queries, ["filter_rule"]);
      onStored(data);
    });
  const create = store(() => filter.create({ ...toRuleBody(draft), channel, session_id }));
  const change = ({ id }: ReadRule, ifMatch: number | undefined) =>
    store(() => filter.update(id, toRuleBody(draft), ifMatch));
  const meanwhile = rule && {
    id: rule.id,
    onTakeTheirs: toHandler(async () => release?.()),
    comparison: createComparison<RuleDraft>(
      toRuleBody(draft),
      async () => toRuleBody(await filter.get(rule.id)),
      update,
    ),
    onKeepMine: change(rule, getConflictRevision(error)),
    onSaveAsNew: create,
  };
  return (
    <Form
      isChanged={!isDeepEqual(draft, rule ?? NEW_RULE)}
      error={error}
      onSubmit={rule ? change(rule, rule.revision) : create}
      conflict={meanwhile}
    >
      <Stack gap="sm">
        <FormControl name="pattern">
          <TextInput
            label={t("pattern")}
            value={pattern}
            onChange={({ currentTarget }) => update({ pattern: currentTarget.value })}
            required
            data-autofocus
            data-testid="rule-pattern"
          />
        </FormControl>
        <FormControl name="type">
          <NativeSelect
            label={t("kindOfRule")}
            value={type}
            onChange={({ currentTarget }) => update({ type: currentTarget.value as RuleType })}
            data={[
              { value: "keyword", label: t("keyword") },
              { value: "regex", label: t("regex") },
            ]}
          />
        </FormControl>
        {type === "keyword" && (
          <FormControl name="whole_word">
            <Checkbox
              label={t("wholeWord")}
              description={t("wholeWordHint")}
              checked={draft.whole_word === true}
              onChange={({ currentTarget }) => update({ whole_word: currentTarget.checked })}
              data-testid="whole-word"
            />
          </FormControl>
        )}
        <RuleScope value={draft} onChange={update} isFixed={rule !== undefined} />
        <RuleSchedule value={draft} onChange={update} />
        {filter_target !== "user" && (
          <Text size="xs" c="dimmed" data-testid="streaming-cost">
            {t("streamingCost")}
          </Text>
        )}
        <RuleTrial draft={draft} />
        <FormErrors />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
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

/** The request fields of a rule without its scope. */
function toRuleBody(draft: RuleDraft) {
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

/** A trial of the draft rule together with the active ones on a text. */
function RuleTrial({ draft }: { readonly draft: RuleDraft }) {
  const { t, language } = useTexts();
  const [text, setText] = useState("");
  const { pattern, type, action, replacement = "", window = null, filter_target, channel, session_id } = draft;
  const { whole_word = false } = draft;
  const target = filter_target === "ai" ? "ai" : "user";
  const deferredRequest = useDeferredValue(
    JSON.stringify({
      text,
      target,
      channel,
      session_id,
      rule: { pattern, type, action, replacement, whole_word, window },
    }),
  );
  const trial = useQuery({
    queryKey: ["rule_trial", deferredRequest],
    queryFn: () => filter.test(JSON.parse(deferredRequest)),
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
          <span>{formatDuration(data.duration_ms, language)}</span>
        </Text>
      )}
    </div>
  );
}

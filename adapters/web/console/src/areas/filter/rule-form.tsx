import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { Failure } from "../../shared/ui/common.tsx";
import { CheckboxField, SelectField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { filter, type ReadRule, type RuleDraft } from "./api.ts";
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
  /** Undefined for a new rule. */
  readonly rule?: ReadRule;
  /** Called after saving, with the service's warnings. */
  readonly onStored: (warnings: Partial<ListedWarnings>) => void;
  readonly onDone: () => void;
}

export function RuleForm({ rule, onStored, onDone }: RuleFormProps) {
  const { t } = useTexts();
  const { props, draft, update, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: rule,
    toDraft,
    ...(rule && { read: () => filter.get(rule.id) }),
    change: async ({ id, ...before }, values, ifMatch) => ({
      ...before,
      ...(await filter.update(id, toRuleBody(values), ifMatch)).data,
    }),
    create: async (values) => {
      const { channel, session_id } = values;
      return { ...(await filter.create(values)).data, channel, session_id };
    },
    onSaved: (stored) => onStored(stored ?? {}),
  });
  const { type, filter_target } = draft;
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField label={t("pattern")} {...field("pattern")} required data-autofocus testId="rule-pattern" />
        <SelectField
          label={t("kindOfRule")}
          {...field("type")}
          data={[
            { value: "keyword", label: t("keyword") },
            { value: "regex", label: t("regex") },
          ]}
        />
        {type === "keyword" && (
          <CheckboxField
            label={t("wholeWord")}
            description={t("wholeWordHint")}
            {...field("whole_word")}
            value={draft.whole_word === true}
            testId="whole-word"
          />
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

function toDraft({ pattern, type, action, filter_target, ...rest }: RuleDraft = NEW_RULE): RuleDraft {
  const { replacement = "", whole_word = false, group = "", window = null, channel, session_id } = rest;
  return { pattern, type, action, replacement, whole_word, group, window, filter_target, channel, session_id };
}

/** The request fields of a rule without its scope. */
function toRuleBody({ channel: _channel, session_id: _session, ...body }: RuleDraft) {
  return body;
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
  const inactivePatterns = (data?.matches ?? [])
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
              {t("remainingText")} <q>{data.content}</q>
            </>
          ) : (
            inactivePatterns.length === 0 && t("untouched")
          )}{" "}
          {data.skipped.length > 0 && t("skippedRules")}{" "}
          {inactivePatterns.length > 0 && `${t("outsideTimes", { names: inactivePatterns.join(", ") })} `}
          <span>{formatDuration(data.duration_ms, language)}</span>
        </Text>
      )}
    </div>
  );
}

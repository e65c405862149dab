import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { ListedWarnings } from "@parley/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { Failure, useTried, warningsIn } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { filter, type PlacedRule, type RuleDraft, type RuleType } from "./api.ts";
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
  /** Undefined: a new one. */
  readonly rule: PlacedRule | undefined;
  readonly done: () => void;
}

export function RuleForm({ rule, done }: RuleFormProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<RuleDraft>(rule ?? NEW);
  const [warned, setWarned] = useState<Partial<ListedWarnings>>({});
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const { pattern, type, action, replacement = "", filter_target, channel, session_id } = draft;
  const store = (change: () => Promise<{ readonly data: Partial<ListedWarnings> }>) =>
    tried(async () => {
      const { data } = await change();
      await queries.invalidateQueries({ queryKey: ["filter_rule"] });
      if (warningsIn(data).length > 0) setWarned(data);
      else done();
    });
  const create = store(() => filter.create({ pattern, type, action, replacement, filter_target, channel, session_id }));
  const save = rule
    ? store(() => filter.update(rule.id, { pattern, type, action, replacement, filter_target }))
    : create;
  // It is stored: what the service says about it is read before the form closes.
  if (warningsIn(warned).length > 0) {
    return (
      <Stack>
        <Alert color="yellow" role="alert" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {warningsIn(warned).join("\n")}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={done}>{t("close")}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Form
      isChanged={!isSame(draft, rule ?? NEW) && !isBusy}
      error={error}
      submit={save}
      meanwhile={rule && { id: rule.id, anew: create }}
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
        <RulePlace value={draft} put={put} isFixed={rule !== undefined} />
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

/** What the rule being written, together with those in force, does to a text. */
function RuleTrial({ draft }: { readonly draft: RuleDraft }) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const { pattern, type, action, replacement = "", filter_target, channel, session_id } = draft;
  const target = filter_target === "ai" ? "ai" : "user";
  const asked = useDeferredValue(
    JSON.stringify({ text, target, channel, session_id, rule: { pattern, type, action, replacement } }),
  );
  const trial = useQuery({
    queryKey: ["rule_trial", asked],
    queryFn: () => filter.test(JSON.parse(asked)),
    enabled: text !== "" && pattern.trim() !== "" && (action !== "replace" || replacement.trim() !== ""),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { data, error } = trial;
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
            t("untouched")
          )}{" "}
          {data.skipped.length > 0 && t("skippedRules")} <span className="dim">{data.duration_ms.toFixed(1)} ms</span>
        </Text>
      )}
    </div>
  );
}

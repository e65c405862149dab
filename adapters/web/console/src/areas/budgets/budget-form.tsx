import { Button, Group, Stack } from "@mantine/core";
import { RecordSelect } from "../../shared/forms/record-select.tsx";
import { useMoney } from "../../shared/i18n/use-money.ts";
import { diffValues } from "../../shared/is-deep-equal.ts";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { ConversationField } from "../../shared/ui/form/conversation-field.tsx";
import {
  ComboboxField,
  NumberField,
  SelectField,
  SwitchField,
  TextareaField,
  TextField,
} from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Budget, type BudgetDraft, budgets, QUERY_KEYS } from "./api.ts";
import { useTargetChoices } from "./target-name.ts";
import { useTexts } from "./texts.ts";

const KINDS = ["all", "person", "conversation", "character", "channel", "api_key", "account"] as const;
const PERIODS = ["day", "month"] as const;
const ACTIONS = ["refuse", "cheaper"] as const;

const NEW_BUDGET: BudgetDraft = {
  name: "",
  applies_to: "all",
  target_id: "",
  period: "month",
  limit_tokens: null,
  limit_cost: null,
  action: "refuse",
  cheaper_model_id: null,
  message: { en: "", zh: "" },
  enabled: true,
  timezone: "",
};

function toDraft(budget: Budget | undefined): BudgetDraft {
  if (!budget) return NEW_BUDGET;
  const { id: _id, created_at: _created, updated_at: _updated, revision: _revision, ...draft } = budget;
  return draft;
}

interface BudgetFormProps {
  /** Undefined for a new budget. */
  readonly budget: Budget | undefined;
  readonly read?: () => Promise<Budget>;
  readonly onDone: () => void;
}

/** The form of one budget. */
export function BudgetForm({ budget, read, onDone }: BudgetFormProps) {
  const { t } = useTexts();
  const form = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: budget,
    toDraft,
    read,
    isPatch: true,
    change: (before, draft, ifMatch) => budgets.change(before.id, diffValues(draft, toDraft(before)), ifMatch),
    create: budgets.create,
    onSaved: onDone,
  });
  const { draft, update, field, isChanged, isBusy } = form;
  return (
    <Form {...form.props}>
      <Stack gap="sm">
        <TextField label={t("name")} {...field("name")} maxLength={100} required data-autofocus testId="budget-name" />
        <Group grow align="start">
          <SelectField
            label={t("appliesTo")}
            {...field("applies_to")}
            onChange={(applies_to) => update({ applies_to, target_id: "" })}
            disabled={budget !== undefined}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
            testId="budget-applies-to"
          />
          <SelectField
            label={t("period")}
            {...field("period")}
            data={PERIODS.map((value) => ({ value, label: t(`period_${value}`) }))}
          />
        </Group>
        <TargetField draft={draft} onChange={(target_id) => update({ target_id })} />
        <LimitFields draft={draft} onChange={update} />
        <ActionFields draft={draft} onChange={update} />
        <TextField
          label={t("timezone")}
          description={t("timezoneHint")}
          placeholder="Asia/Shanghai"
          {...field("timezone")}
          maxLength={64}
        />
        <SwitchField label={t("enabled")} {...field("enabled")} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={isBusy}
            disabled={budget !== undefined && !isChanged}
            data-testid="save-budget"
          >
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

interface TargetFieldProps {
  readonly draft: BudgetDraft;
  readonly onChange: (targetId: string) => void;
}

function TargetField({ draft: { applies_to, target_id }, onChange }: TargetFieldProps) {
  const { t } = useTexts();
  const choices = useTargetChoices(applies_to);
  const common = { name: "target_id", value: target_id, onChange };
  if (applies_to === "all") return null;
  if (applies_to === "person") {
    return <TextField label={t("target")} description={t("personHint")} {...common} maxLength={200} />;
  }
  if (applies_to === "conversation")
    return <ConversationField label={t("target")} hint={t("targetHint")} {...common} />;
  return (
    <ComboboxField
      label={t("target")}
      description={t("targetHint")}
      placeholder={t(`each_${applies_to}`)}
      name="target_id"
      value={target_id === "" ? null : target_id}
      onChange={(id) => onChange(id ?? "")}
      data={[...choices]}
      searchable
      clearable
    />
  );
}

interface PartProps {
  readonly draft: BudgetDraft;
  readonly onChange: (patch: Partial<BudgetDraft>) => void;
}

function LimitFields({ draft, onChange }: PartProps) {
  const { t } = useTexts();
  const { currency } = useMoney();
  return (
    <Group grow align="start">
      <NumberField
        name="limit_tokens"
        label={t("limitTokens")}
        placeholder={t("noLimit")}
        value={draft.limit_tokens ?? undefined}
        min={0}
        onChange={(limit) => onChange({ limit_tokens: limit ?? null })}
        testId="budget-tokens"
      />
      <NumberField
        name="limit_cost"
        label={t("limitCost", { currency })}
        placeholder={t("noLimit")}
        value={draft.limit_cost ?? undefined}
        min={0}
        decimalScale={4}
        onChange={(limit) => onChange({ limit_cost: limit ?? null })}
      />
    </Group>
  );
}

function ActionFields({ draft, onChange }: PartProps) {
  const { t } = useTexts();
  const { action, cheaper_model_id, message } = draft;
  return (
    <>
      <SelectField
        label={t("action")}
        name="action"
        value={action}
        onChange={(value) => onChange({ action: value })}
        data={ACTIONS.map((value) => ({ value, label: t(`action_${value}`) }))}
        testId="budget-action"
      />
      {action === "cheaper" && (
        <FormControl name="cheaper_model_id">
          <RecordSelect
            kind="model"
            label={t("cheaper")}
            required
            value={cheaper_model_id ?? ""}
            onChange={(id) => onChange({ cheaper_model_id: id === "" ? null : id })}
          />
        </FormControl>
      )}
      <Group grow align="start">
        <TextareaField
          label={t("messageEn")}
          description={t("messageHint")}
          name="message.en"
          value={message.en}
          onChange={(en) => onChange({ message: { ...message, en } })}
        />
        <TextareaField
          label={t("messageZh")}
          description={t("messageHint")}
          name="message.zh"
          value={message.zh}
          onChange={(zh) => onChange({ message: { ...message, zh } })}
        />
      </Group>
    </>
  );
}

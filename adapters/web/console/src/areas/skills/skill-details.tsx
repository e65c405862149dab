import { Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { findById } from "../../shared/api/client.ts";
import { stringifyJson } from "../../shared/forms/json-text.ts";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { parseJsonObject, toText } from "../../shared/json-object.ts";
import {
  hasValidLines,
  NEW_REQUEST,
  type RequestDraft,
  toImplementation,
  toRequestDraft,
} from "../../shared/tools/request-draft.ts";
import { FixedText, RequestFields } from "../../shared/tools/request-fields.tsx";
import { useTexts as useRequestTexts } from "../../shared/tools/texts.ts";
import { DescriptionField } from "../../shared/ui/form/description-field.tsx";
import { Editor } from "../../shared/ui/form/editor.tsx";
import { TagsField } from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Skill, type SkillPatch, skills } from "./api.ts";
import skillsCss from "./skills.module.css";
import { useTexts } from "./texts.ts";

interface Draft extends RequestDraft {
  readonly description: string;
  readonly aliases: readonly string[];
  readonly parameters: string;
  readonly kind: "prompt" | "http" | "static";
  readonly result: string;
}

const NO_SKILL: Draft = { ...NEW_REQUEST, description: "", aliases: [], parameters: "", kind: "prompt", result: "" };

function toDraft(skill: Skill | undefined): Draft {
  if (!skill) return NO_SKILL;
  const { description, aliases, parameters, implementation } = skill;
  const request = implementation.type === "http" ? toRequestDraft(implementation) : NEW_REQUEST;
  const result = implementation.type === "static" ? toText(implementation.result) : "";
  const parametersText = Object.keys(parameters).length === 0 ? "" : stringifyJson(parameters);
  return { ...request, description, aliases, parameters: parametersText, kind: implementation.type, result };
}

function toBody({ description, aliases, parameters, kind, result, ...request }: Draft): SkillPatch {
  const implementation =
    kind === "http" ? toImplementation(request) : kind === "static" ? { type: kind, result } : { type: kind };
  return { description, aliases, parameters: parseJsonObject(parameters) ?? {}, implementation };
}

function isJsonObject(text: string): boolean {
  return text.trim() === "" || parseJsonObject(text) !== undefined;
}

interface SkillDetailsProps {
  readonly skill: Skill;
  readonly isRemoved: boolean;
}

/** The settings of a skill: purpose, aliases and behaviour. */
export function SkillDetails({ skill, isRemoved }: SkillDetailsProps) {
  const { t } = useTexts();
  const toJsonError = useJsonError();
  const request = useRequestTexts();
  const { props, draft, update, field, isChanged, isValid, isBusy } = useRecordForm({
    queryKeys: [["skill"]],
    record: skill,
    isRemoved,
    toDraft,
    read: async () => findById(await skills.list(), skill.id),
    change: ({ id }, draft, ifMatch) => skills.change(id, toBody(draft), ifMatch),
    isValid: (draft) => isJsonObject(draft.parameters) && hasValidLines(draft),
  });
  const { kind } = draft;
  return (
    <Form {...props}>
      <DescriptionField label={t("description")} hint={t("descriptionHint")} {...field("description")} />
      <details className={skillsCss.skillDetails} data-testid="skill-details">
        <summary>{t("usage")}</summary>
        <Stack gap="sm" mt="xs">
          <TagsField label={t("aliases")} description={t("aliasesHint")} maxTags={20} {...field("aliases")} />
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t("implementation")}
            </Text>
            <SegmentedControl
              aria-label={t("implementation")}
              value={kind}
              onChange={(value) => update({ kind: value })}
              data={[
                { value: "prompt", label: t("kindPrompt") },
                { value: "http", label: request.t("kind_http") },
                { value: "static", label: request.t("kind_static") },
              ]}
            />
          </div>
          {kind === "prompt" && (
            <Text size="sm" c="dimmed">
              {t("kindPromptHint")}
            </Text>
          )}
          {kind === "http" && <RequestFields draft={draft} onChange={update} />}
          {kind === "static" && <FixedText text={draft.result} onChange={(result) => update({ result })} />}
          {kind !== "prompt" && (
            <FormControl name="parameters">
              <Editor
                label={t("parameters")}
                description={t("parametersHint")}
                isRequired={false}
                language="json"
                value={draft.parameters}
                onChange={(parameters) => update({ parameters })}
                error={isJsonObject(draft.parameters) ? undefined : (toJsonError(draft.parameters) ?? t("notJson"))}
              />
            </FormControl>
          )}
        </Stack>
      </details>
      <FormErrors />
      {isChanged && (
        <Button type="submit" size="compact-sm" mt="xs" loading={isBusy} disabled={!isValid} data-testid="save-skill">
          {t("save")}
        </Button>
      )}
    </Form>
  );
}

import { Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { oneOf } from "../../shared/api/client.ts";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import { jsonOf, textOf } from "../../shared/forms/json-text.ts";
import {
  hasGoodLines,
  NEW_REQUEST,
  type RequestDraft,
  requestDraftOf,
  requestOf,
} from "../../shared/tools/request-draft.ts";
import { FixedText, RequestFields } from "../../shared/tools/request-fields.tsx";
import { useTexts as useRequestTexts } from "../../shared/tools/texts.ts";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { Editor } from "../../shared/ui/editor.tsx";
import { WordsField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { type Skill, skills } from "./api.ts";
import skillsCss from "./skills.module.css";
import { useTexts } from "./texts.ts";

interface Draft extends RequestDraft {
  readonly description: string;
  readonly aliases: readonly string[];
  readonly parameters: string;
  readonly kind: "prompt" | "http" | "static";
  readonly result: string;
}

function draftOf({ description, aliases, parameters, implementation }: Skill): Draft {
  const own = implementation.type === "http" ? requestDraftOf(implementation) : NEW_REQUEST;
  const result = implementation.type === "static" ? implementation.result : "";
  const written = Object.keys(parameters).length === 0 ? "" : textOf(parameters);
  return { ...own, description, aliases, parameters: written, kind: implementation.type, result };
}

function bodyOf({ description, aliases, parameters, kind, result, ...request }: Draft): object {
  const implementation =
    kind === "http" ? requestOf(request) : kind === "static" ? { type: kind, result } : { type: kind };
  return { description, aliases, parameters: jsonOf(parameters)?.value ?? {}, implementation };
}

function isObject(text: string): boolean {
  const value = jsonOf(text)?.value;
  return text.trim() === "" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

interface SkillDetailsProps {
  readonly skill: Skill;
  readonly isRemoved: boolean;
  readonly release: () => void;
}

/** What a skill is for, what it is called besides, and what happens when it is used. */
export function SkillDetails({ skill, isRemoved, release }: SkillDetailsProps) {
  const { t } = useTexts();
  const fault = useJsonFault();
  const request = useRequestTexts();
  const [draft, setDraft] = useState(() => draftOf(skill));
  const { tried, isBusy, error } = useTried([["skill"]]);
  const put = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const isWhole = isObject(draft.parameters) && hasGoodLines(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(skill));
  const save = (ifMatch: number | undefined) =>
    tried(() => skills.change(skill.id, bodyOf(draft), ifMatch).then(release));
  const meanwhile = {
    id: skill.id,
    isRemoved,
    compared: compared<Draft>(draft, async () => draftOf(oneOf(await skills.list(), skill.id)), put),
    theirs: tried(async () => release()),
    mine: save(theirRevision(error)),
  };
  const { kind } = draft;
  return (
    <Form isChanged={isChanged} error={error} submit={() => isWhole && save(skill.revision)()} meanwhile={meanwhile}>
      <DescriptionField
        label={t("description")}
        hint={t("descriptionHint")}
        value={draft.description}
        put={(description) => put({ description })}
      />
      <details className={skillsCss.skillDetails} data-testid="skill-details">
        <summary>{t("howUsed")}</summary>
        <Stack gap="sm" mt="xs">
          <WordsField
            name="aliases"
            label={t("aliases")}
            description={t("aliasesHint")}
            maxTags={20}
            value={draft.aliases}
            put={(aliases) => put({ aliases })}
          />
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t("implementation")}
            </Text>
            <SegmentedControl
              aria-label={t("implementation")}
              value={kind}
              onChange={(value) => put({ kind: value as Draft["kind"] })}
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
          {kind === "http" && <RequestFields draft={draft} put={put} />}
          {kind === "static" && <FixedText text={draft.result} put={(result) => put({ result })} />}
          {kind !== "prompt" && (
            <At name="parameters">
              <Editor
                label={t("parameters")}
                description={t("parametersHint")}
                isRequired={false}
                language="json"
                value={draft.parameters}
                put={(parameters) => put({ parameters })}
                error={isObject(draft.parameters) ? undefined : (fault(draft.parameters) ?? t("notJson"))}
              />
            </At>
          )}
        </Stack>
      </details>
      <FormFailure />
      {isChanged && (
        <Button type="submit" size="compact-sm" mt="xs" loading={isBusy} disabled={!isWhole} data-testid="save-skill">
          {t("save")}
        </Button>
      )}
    </Form>
  );
}

import { Badge, Code, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { describe } from "../../../shared/tools/describe.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { mcp, type OwnPrompt, type OwnResource } from "../api.ts";
import mcpCss from "../mcp.module.css";
import { type TextKey, useTexts } from "../texts.ts";

/** Resources and prompts of the MCP server of this service. */
export function OwnOffers() {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.getService });
  return (
    <Loaded query={service}>
      {({ resources, prompts }) => (
        <>
          <OfferSection title="mcpResources" hint="mcpResourcesHint" count={resources.length} testId="own-resources">
            {resources.map((resource) => (
              <ResourceRow key={resource.uri} resource={resource} />
            ))}
          </OfferSection>
          <OfferSection title="mcpPrompts" hint="mcpPromptsHint" count={prompts.length} testId="own-prompts">
            {prompts.map((prompt) => (
              <PromptRow key={prompt.name} prompt={prompt} />
            ))}
          </OfferSection>
        </>
      )}
    </Loaded>
  );
}

interface OfferSectionProps {
  readonly title: TextKey;
  readonly hint: TextKey;
  readonly count: number;
  readonly testId: string;
  readonly children: React.ReactNode;
}

function OfferSection({ title, hint, count, testId, children }: OfferSectionProps) {
  const { t } = useTexts();
  return (
    <section aria-labelledby={testId} data-testid={testId}>
      <Title order={2} size="h4" id={testId}>
        {t(title)}{" "}
        <Text span size="sm" c="dimmed" fw={400}>
          {count}
        </Text>
      </Title>
      <Text size="sm" c="dimmed" mb="xs" maw="46rem">
        {t(hint)}
      </Text>
      <ul className={mcpCss.offers}>{children}</ul>
    </section>
  );
}

function ResourceRow({ resource }: { readonly resource: OwnResource }) {
  const { t, language } = useTexts();
  const { uri, name, help, mime_type, scope, refused } = resource;
  return (
    <li data-testid="own-resource">
      <Group gap="xs">
        <Text fw={600} size="sm">
          {describe(language, { description: name, help })}
        </Text>
        {refused !== null && (
          <Badge color="gray" variant="filled">
            {t("deniedTools")}
          </Badge>
        )}
      </Group>
      <Text size="sm">
        <Code style={{ overflowWrap: "anywhere" }}>{uri}</Code>
      </Text>
      <Text size="xs" c="dimmed">
        {mime_type} · {t("scope")}: {scope}
      </Text>
    </li>
  );
}

function PromptRow({ prompt }: { readonly prompt: OwnPrompt }) {
  const { t, language } = useTexts();
  const { name, arguments: args } = prompt;
  return (
    <li data-testid="own-prompt">
      <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
        {name}
      </Text>
      <Text size="sm">{describe(language, prompt)}</Text>
      {args.map((argument) => (
        <Text key={argument.name} size="xs" c="dimmed">
          <Code fz="xs">{argument.name}</Code> {describe(language, argument)}
          {argument.required && ` · ${t("required")}`}
        </Text>
      ))}
    </li>
  );
}

import { Badge, Group, Progress, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { gateway } from "../../../shared/api/gateway.ts";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { useMoney } from "../../../shared/i18n/use-money.ts";
import textCss from "../../../shared/styles/text.module.css";
import {
  type Explanation,
  type ModelStep,
  type RecalledItem,
  toExplanation,
} from "../../../shared/trace/explanation.ts";
import { toStepColor, useStepLabel } from "../../../shared/trace/step-texts.ts";
import { useTexts as useTraceTexts } from "../../../shared/trace/texts.ts";
import { formatOutcome, localizePhase, PHASES, toPartName } from "../../../shared/trace/trace-facts.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { type TextKey, useTexts } from "../texts.ts";
import type { Speaker } from "../thread/speaker.tsx";
import { FilterSection } from "./explain-filters.tsx";
import { ExplanationSection, MoodExplanation } from "./mood-explanation.tsx";

const POLL_MS = 3_000;

interface ExplainDialogProps {
  /** The explained message; undefined while the dialog is closed. */
  readonly message: Message | undefined;
  readonly speaker: Speaker | undefined;
  readonly close: () => void;
}

/** Explains a reply: its prompt with the sources, model, cost, time and delivery. For a question, shows its processing. */
export function ExplainDialog({ message, speaker, close }: ExplainDialogProps) {
  const { t } = useTexts();
  const { trace_id: traceId = null, role } = message ?? {};
  const title = t(role === "assistant" ? "explain" : "showProcessing");
  return (
    <Dialog opened={traceId !== null} onClose={close} title={title} size="lg">
      {traceId !== null && (
        <>
          <ExplanationView traceId={traceId} />
          {speaker && role === "assistant" && (
            <MoodExplanation
              speaker={{ ...speaker, characterId: message?.character_id ?? speaker.characterId }}
              traceId={traceId}
            />
          )}
          <Text size="sm" mt="md">
            <Link {...toAddress("/gateway", { trace: traceId })} className={textCss.inlineLink} data-testid="to-trace">
              {t("wholeTrace")}
            </Link>
          </Text>
        </>
      )}
    </Dialog>
  );
}

function ExplanationView({ traceId }: { readonly traceId: string }) {
  const { t } = useTexts();
  const trace = useQuery({
    queryKey: ["gateway", "trace", traceId],
    queryFn: () => gateway.getTrace(traceId),
    // Deliveries may still be running.
    refetchInterval: POLL_MS,
  });
  return (
    <Loaded query={trace}>
      {(found) => {
        if (found.timeline.length === 0) return <Text size="sm">{t("explainNothing")}</Text>;
        const explanation = toExplanation(found);
        return (
          <div data-testid="explained">
            <ModelSection explanation={explanation} />
            <PromptSection explanation={explanation} />
            <RecalledSection title="explainMemories" items={explanation.memories} />
            <RecalledSection title="explainLore" items={explanation.lore} />
            <RecalledSection title="explainPassages" items={explanation.passages} />
            <ToolSection explanation={explanation} />
            <FilterSection filters={explanation.filters} />
            <TimeSection explanation={explanation} />
            <DeliverySection explanation={explanation} />
          </div>
        );
      }}
    </Loaded>
  );
}

/** Names of the built-in offline model: its name in traces and its provider id. */
const OFFLINE_NAMES: readonly string[] = ["Offline companion", "offline"];

interface SectionProps {
  readonly explanation: Explanation;
}

function ModelSection({ explanation: { models } }: SectionProps) {
  const { t, language } = useTexts();
  if (models.length === 0) return null;
  const cost = models.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  const { formatPrice } = useMoney();
  const describeStep = ({ kind, model: name, why, ms = 0, input = 0, output = 0 }: ModelStep) => {
    if (kind === "failed" && why !== "") return why;
    const model = OFFLINE_NAMES.includes(name) ? t("offlineName") : name;
    if (kind === "failed") return t("explainNoAnswer", { model, time: formatDuration(ms, language) });
    return kind === "asked"
      ? t("explainAsked", { model })
      : t("explainAnswered", { model, time: formatDuration(ms, language), input, output });
  };
  return (
    <ExplanationSection title={t("explainModel")}>
      <ul className={textCss.plainList}>
        {models.map((one, index) => (
          <li key={index}>
            <Text size="sm" {...(one.kind === "failed" && { c: "red" })}>
              {describeStep(one)}
            </Text>
          </li>
        ))}
      </ul>
      {cost > 0 && <Text size="sm">{formatPrice(cost)}</Text>}
    </ExplanationSection>
  );
}

function PromptSection({ explanation: { promptParts, omittedParts, history } }: SectionProps) {
  const { t, language } = useTexts();
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  if (promptParts.length === 0 && !history) return null;
  return (
    <ExplanationSection title={t("explainPrompt")}>
      {history && (
        <Text size="sm" mb={4}>
          {t("explainRead", { count: history.included })}{" "}
          {history.omitted > 0 && t("explainUnread", { count: history.omitted })}
        </Text>
      )}
      {promptParts.map(({ key, title, source, tokens, share }, index) => (
        <div key={index} data-testid="layer">
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" truncate title={`${key} · ${source}`}>
              {toPartName({ key, title }, language)}
            </Text>
            <Text size="sm" style={{ whiteSpace: "nowrap" }}>
              {t("explainTokens", { count: tokens })} · {percent.format(share)}
            </Text>
          </Group>
          <Progress value={share * 100} size={4} aria-hidden="true" mb={4} />
        </div>
      ))}
      {omittedParts.length > 0 && (
        <details className={textCss.folded}>
          <summary>{`${t("explainLeftOut")}: ${omittedParts.length}`}</summary>
          <pre>{omittedParts.map((part) => `${toPartName(part, language)}: ${part.why}`).join("\n")}</pre>
        </details>
      )}
    </ExplanationSection>
  );
}

function RecalledSection({ title, items }: { readonly title: TextKey; readonly items: readonly RecalledItem[] }) {
  const { t } = useTexts();
  if (items.length === 0) return null;
  return (
    <ExplanationSection title={t(title)}>
      <ul className={textCss.plainList}>
        {items.map(({ id, title: name, text, score, why }) => (
          <li key={id} data-testid="recalled">
            <Badge size="xs" variant="default" mr={6}>
              {score}
            </Badge>
            {[name, text].filter(Boolean).join(": ")}
            {why !== "" && <span className={textCss.meta}> {why}</span>}
          </li>
        ))}
      </ul>
    </ExplanationSection>
  );
}

function ToolSection({ explanation: { tools, toolCalls } }: SectionProps) {
  const { t, language } = useTexts();
  const { t: translateTrace } = useTraceTexts();
  if (tools.offered === 0 && toolCalls.length === 0) return null;
  return (
    <ExplanationSection title={t("explainTools")}>
      {toolCalls.length > 0 && (
        <ul className={textCss.plainList}>
          {toolCalls.map(({ name, status, ms }, index) => (
            <li
              key={index}
            >{`${name} · ${formatOutcome(status, translateTrace)} · ${formatDuration(ms, language)}`}</li>
          ))}
        </ul>
      )}
      {tools.offered > 0 && (
        <details className={textCss.folded}>
          <summary>{t("explainOffered", { count: tools.offered })}</summary>
          <pre>{tools.names.replaceAll(", ", "\n")}</pre>
        </details>
      )}
    </ExplanationSection>
  );
}

function TimeSection({ explanation: { times } }: SectionProps) {
  const { t, language } = useTexts();
  const { t: translateTrace } = useTraceTexts();
  if (times.length === 0) return null;
  const orderedTimes = PHASES.flatMap((phase) => times.filter((one) => one.phase === phase));
  const phaseTexts = orderedTimes.map(
    ({ phase, ms }) => `${localizePhase(phase, translateTrace)} ${formatDuration(ms, language)}`,
  );
  return <ExplanationSection title={t("explainTimes")}>{phaseTexts.join(" · ")}</ExplanationSection>;
}

function DeliverySection({ explanation: { deliveries } }: SectionProps) {
  const { t } = useTexts();
  const toStepLabel = useStepLabel();
  if (deliveries.length === 0) return null;
  return (
    <ExplanationSection title={t("explainDeliveries")}>
      <ul className={textCss.plainList}>
        {deliveries.map(({ id, status, part, parts, error }) => (
          <li key={id}>
            <Text span size="sm" {...(toStepColor(status) === "red" && { c: "red" })}>
              {parts > 1 && `${part}/${parts} `}
              {toStepLabel(status)}
            </Text>
            {error !== null && <span className={textCss.meta}> {error}</span>}
          </li>
        ))}
      </ul>
    </ExplanationSection>
  );
}

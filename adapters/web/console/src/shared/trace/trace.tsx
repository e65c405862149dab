import { Alert, Group, List, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { gateway, type TimelineRow, type Trace } from "../api/gateway.ts";
import { durationOf } from "../i18n/durations.ts";
import { isChinese } from "../i18n/i18n.ts";
import textCss from "../styles/text.module.css";
import { Loaded, localSentence } from "../ui/common.tsx";
import { inChinese } from "./sentences.ts";
import { stepColor, useStepText } from "./step-texts.ts";
import { useTexts } from "./texts.ts";
import { factsOf, sentenceOf, withReason } from "./trace-facts.ts";

const OFTEN = 3_000;

/** Everything that happened to one message, in order. */
export function TraceView({ id }: { readonly id: string }) {
  const trace = useQuery({
    queryKey: ["gateway", "trace", id],
    queryFn: () => gateway.trace(id),
    refetchInterval: OFTEN,
  });
  return <Loaded query={trace}>{(found) => <Found trace={found} />}</Loaded>;
}

/** What was said, by whom and where. */
function Said({ trace: { queue_items = [], deliveries = [] } }: { readonly trace: Partial<Trace> }) {
  const { t } = useTexts();
  const { text = "", sender, sessionId } = (queue_items[0]?.parsed ?? {}) as SaidMessage;
  const session = sessionId ?? deliveries[0]?.session_id;
  const who = sender?.name || sender?.id;
  return (
    <Group justify="space-between" align="flex-start" mb="xs" gap="xs">
      {text !== "" && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: "anywhere", flex: 1 }} data-testid="trace-text">
          {who && <b>{who}: </b>}
          {text}
        </Text>
      )}
      {session && (
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: session }}
          className={textCss.inlineLink}
          data-testid="to-conversation"
        >
          {t("toConversation")}
        </Link>
      )}
    </Group>
  );
}

/** Of what the service keeps of a message that came in. */
interface SaidMessage {
  readonly text?: string;
  readonly sender?: { readonly id?: string; readonly name?: string };
  readonly sessionId?: string;
}

function Found({ trace }: { readonly trace: Trace }) {
  const { trace_id, timeline, diagnostics } = trace;
  const texts = useTexts();
  const { t } = texts;
  const stepText = useStepText();
  const steps = timeline.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
  const [first] = steps;
  if (!first) {
    return (
      <Alert color="yellow" title={t("traceNotFound")}>
        <Text size="sm">{read(diagnostics?.reason ?? "")}</Text>
        <List size="sm">
          {(diagnostics?.possible_causes ?? []).map((cause) => (
            <List.Item key={cause}>{read(cause)}</List.Item>
          ))}
        </List>
      </Alert>
    );
  }
  return (
    <>
      <Said trace={trace} />
      <Text size="xs" c="dimmed" mb="sm" style={{ overflowWrap: "anywhere" }}>
        {trace_id}
      </Text>
      <Timeline bulletSize={16} lineWidth={2} active={steps.length}>
        {steps.map((row) => (
          <Timeline.Item
            key={`${row.timeline_type} ${row.id ?? row.item_id}`}
            title={titleOf(row, texts, stepText)}
            color={stepColor(row.status, row.level)}
            bullet={<span className={textCss.unseen}>{row.level}</span>}
            data-testid="trace-step"
          >
            <Step row={row} start={timeOf(first)} />
          </Timeline.Item>
        ))}
      </Timeline>
    </>
  );
}

function Step({ row, start }: { readonly row: TimelineRow; readonly start: string }) {
  const { t, language } = useTexts();
  const { error, error_detail: detail, content, attempts } = row;
  const facts = factsOf(row.metadata, { t, language });
  // Its facts stand below.
  const message = String(row.message ?? row.metadata?.message ?? "");
  const said = sentenceOf({ ...facts, lines: [] }, reasoned(message, row), isChinese());
  const why = error ? (detail ? localSentence(error, detail) : read(reasoned(error, row))) : "";
  const at = timeOf(row);
  const afterMs = Date.parse(at) - Date.parse(start);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <>
      {why !== "" && (
        <Text size="sm" c="red" style={{ overflowWrap: "anywhere" }}>
          {why}
        </Text>
      )}
      {said !== "" && said !== why && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {said}
        </Text>
      )}
      {facts.lines.map((line) => (
        <Text key={line} size="xs" ff="monospace" style={{ overflowWrap: "anywhere" }}>
          {line}
        </Text>
      ))}
      {content && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: "anywhere" }}>
          {content}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {afterMs === 0 ? time.format(new Date(at)) : `+ ${durationOf(afterMs, language)}`}
        {attempts !== undefined && attempts > 1 && ` · ${t("attempts")}: ${attempts}`}
      </Text>
    </>
  );
}

function reasoned(sentence: string, { metadata }: TimelineRow): string {
  return isChinese() ? withReason(sentence, metadata) : sentence;
}

/** The service's sentence as its reader reads it. */
function read(sentence: string): string {
  return isChinese() ? (inChinese(sentence) ?? sentence) : sentence;
}

function timeOf({ created_at, updated_at }: TimelineRow): string {
  return updated_at ?? created_at;
}

function titleOf(row: TimelineRow, texts: ReturnType<typeof useTexts>, stepText: (status: string) => string): string {
  const { t } = texts;
  const { timeline_type, status, part, parts = 1, metadata } = row;
  const step = factsOf(metadata, texts).title ?? stepText(status);
  if (timeline_type === "queue_item") return `${t("queueItem")}: ${step}`;
  if (timeline_type === "delivery") return `${t("delivery")}${parts > 1 ? ` ${part}/${parts}` : ""}: ${step}`;
  return step;
}

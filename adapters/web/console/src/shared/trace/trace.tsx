import { Alert, Group, List, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { gateway, type TimelineRow, type Trace } from "../api/gateway.ts";
import { formatDuration } from "../i18n/format-duration.ts";
import { toJsonObject, toText } from "../json-object.ts";
import textCss from "../styles/text.module.css";
import { Loaded } from "../ui/common.tsx";
import { toStepColor, useStepLabel } from "./step-texts.ts";
import { useTexts } from "./texts.ts";
import { readFacts } from "./trace-facts.ts";

const POLL_MS = 3_000;

/** The trace of one message, in order. */
export function TraceView({ id }: { readonly id: string }) {
  const trace = useQuery({
    queryKey: ["gateway", "trace", id],
    queryFn: () => gateway.getTrace(id),
    refetchInterval: POLL_MS,
  });
  return <Loaded query={trace}>{(found) => <TraceSteps trace={found} />}</Loaded>;
}

/** The original message, with its sender and conversation. */
function SourceMessage({ trace: { queue_items = [], deliveries = [] } }: { readonly trace: Partial<Trace> }) {
  const { t } = useTexts();
  const { text, sender, sessionId } = toJsonObject(queue_items[0]?.parsed);
  const { id, name } = toJsonObject(sender);
  const session = toText(sessionId) || deliveries[0]?.session_id;
  const senderName = toText(name) || toText(id);
  return (
    <Group justify="space-between" align="flex-start" mb="xs" gap="xs">
      {toText(text) !== "" && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: "anywhere", flex: 1 }} data-testid="trace-text">
          {senderName && <b>{senderName}: </b>}
          {toText(text)}
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

function TraceSteps({ trace }: { readonly trace: Trace }) {
  const { trace_id, timeline, diagnostics } = trace;
  const texts = useTexts();
  const { t } = texts;
  const getStepLabel = useStepLabel();
  const steps = timeline.toSorted((a, b) => getStepTime(a).localeCompare(getStepTime(b)));
  const [first] = steps;
  if (!first) {
    return (
      <Alert color="yellow" title={t("traceNotFound")}>
        <Text size="sm">{diagnostics?.reason}</Text>
        <List size="sm">
          {(diagnostics?.possible_causes ?? []).map((cause) => (
            <List.Item key={cause}>{cause}</List.Item>
          ))}
        </List>
      </Alert>
    );
  }
  return (
    <>
      <SourceMessage trace={trace} />
      <Text size="xs" c="dimmed" mb="sm" style={{ overflowWrap: "anywhere" }}>
        {trace_id}
      </Text>
      <Timeline bulletSize={16} lineWidth={2} active={steps.length}>
        {steps.map((row) => (
          <Timeline.Item
            key={`${row.timeline_type} ${row.id ?? row.item_id}`}
            title={formatStepTitle(row, texts, getStepLabel)}
            color={toStepColor(row.status, row.level)}
            bullet={<span className={textCss.visuallyHidden}>{row.level}</span>}
            data-testid="trace-step"
          >
            <TraceStep row={row} start={getStepTime(first)} />
          </Timeline.Item>
        ))}
      </Timeline>
    </>
  );
}

function TraceStep({ row, start }: { readonly row: TimelineRow; readonly start: string }) {
  const { t, language } = useTexts();
  const { error: why, content, attempts } = row;
  const facts = readFacts(row.metadata, { t, language });
  const sentence = facts.sentence ?? String(row.message ?? row.metadata?.message ?? "");
  const at = getStepTime(row);
  const afterMs = Date.parse(at) - Date.parse(start);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <>
      {why && (
        <Text size="sm" c="red" style={{ overflowWrap: "anywhere" }}>
          {why}
        </Text>
      )}
      {sentence !== "" && sentence !== why && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {sentence}
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
        {afterMs === 0 ? time.format(new Date(at)) : `+ ${formatDuration(afterMs, language)}`}
        {attempts !== undefined && attempts > 1 && ` · ${t("attempts")}: ${attempts}`}
      </Text>
    </>
  );
}

function getStepTime({ created_at, updated_at }: TimelineRow): string {
  return updated_at ?? created_at;
}

function formatStepTitle(
  row: TimelineRow,
  texts: ReturnType<typeof useTexts>,
  getStepLabel: (status: string) => string,
): string {
  const { t } = texts;
  const { timeline_type, status, part, parts = 1, metadata } = row;
  const step = readFacts(metadata, texts).title ?? getStepLabel(status);
  if (timeline_type === "queue_item") return `${t("queueItem")}: ${step}`;
  if (timeline_type === "delivery") return `${t("delivery")}${parts > 1 ? ` ${part}/${parts}` : ""}: ${step}`;
  return step;
}

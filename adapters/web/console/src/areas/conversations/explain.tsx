import { Badge, Group, Progress, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { gateway } from "../../shared/api/gateway.ts";
import { durationOf } from "../../shared/i18n/durations.ts";
import { useMoney } from "../../shared/i18n/money.ts";
import textCss from "../../shared/styles/text.module.css";
import { type Explanation, explanationOf, type ModelStep, type Recalled } from "../../shared/trace/explanation.ts";
import { partName } from "../../shared/trace/part-names.ts";
import { stepColor, useStepText } from "../../shared/trace/step-texts.ts";
import { useTexts as useTraceTexts } from "../../shared/trace/texts.ts";
import { outcome, PHASES, phaseName, reasonOf } from "../../shared/trace/trace-facts.ts";
import { Loaded, localSentence } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { Filtered } from "./explain-filters.tsx";
import type { Speaker } from "./speaker.tsx";
import { type TextKey, useTexts } from "./texts.ts";
import { Part, Why } from "./why.tsx";

const OFTEN = 3_000;

interface ExplainDialogProps {
  /** Undefined: nobody asks. */
  readonly message: Message | undefined;
  readonly speaker: Speaker | undefined;
  readonly close: () => void;
}

/** How an answer came about: what the model was told and by whom, who answered, what it cost, and what became of it. */
export function ExplainDialog({ message, speaker, close }: ExplainDialogProps) {
  const { t } = useTexts();
  const { trace_id: traceId = null, role } = message ?? {};
  const title = t(role === "assistant" ? "explain" : "whatBecame");
  return (
    <Dialog opened={traceId !== null} onClose={close} title={title} size="lg">
      {traceId !== null && (
        <>
          <Explained traceId={traceId} />
          {speaker && role === "assistant" && <Why speaker={speaker} traceId={traceId} />}
          <Text size="sm" mt="md">
            <Link
              to="/gateway"
              search={{ trace: traceId } as never}
              className={textCss.inlineLink}
              data-testid="to-trace"
            >
              {t("wholeTrace")}
            </Link>
          </Text>
        </>
      )}
    </Dialog>
  );
}

function Explained({ traceId }: { readonly traceId: string }) {
  const { t } = useTexts();
  const trace = useQuery({
    queryKey: ["gateway", "trace", traceId],
    queryFn: () => gateway.trace(traceId),
    // What is being sent arrives, or does not.
    refetchInterval: OFTEN,
  });
  return (
    <Loaded query={trace}>
      {(found) => {
        if (found.timeline.length === 0) return <Text size="sm">{t("explainNothing")}</Text>;
        const told = explanationOf(found);
        return (
          <div data-testid="explained">
            <Models told={told} />
            <Told told={told} />
            <Found title="explainMemories" items={told.memories} />
            <Found title="explainLore" items={told.lore} />
            <Found title="explainPassages" items={told.passages} />
            <Tools told={told} />
            <Filtered filters={told.filters} />
            <Times told={told} />
            <Deliveries told={told} />
          </div>
        );
      }}
    </Loaded>
  );
}

/** The model that is there by itself, as a trace has its name and what it calls itself. */
const OFFLINE: readonly string[] = ["Offline companion", "offline"];

interface PartProps {
  readonly told: Explanation;
}

function Models({ told: { models } }: PartProps) {
  const { t, language } = useTexts();
  if (models.length === 0) return null;
  const cost = models.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  const { priceOf } = useMoney();
  const said = ({ kind, model: name, why, chinese = why, ms = 0, input = 0, output = 0 }: ModelStep) => {
    if (kind === "failed" && why !== "") return language.startsWith("zh") ? chinese : why;
    const model = OFFLINE.includes(name) ? t("offlineName") : name;
    if (kind === "failed") return t("explainNoAnswer", { model, time: durationOf(ms, language) });
    return kind === "asked"
      ? t("explainAsked", { model })
      : t("explainAnswered", { model, time: durationOf(ms, language), input, output });
  };
  return (
    <Part title={t("explainModel")}>
      <ul className={textCss.plainList}>
        {models.map((one, index) => (
          <li key={index}>
            <Text size="sm" {...(one.kind === "failed" && { c: "red" })}>
              {said(one)}
            </Text>
          </li>
        ))}
      </ul>
      {cost > 0 && <Text size="sm">{priceOf(cost)}</Text>}
    </Part>
  );
}

function Told({ told: { layers, leftOut, history } }: PartProps) {
  const { t, language } = useTexts();
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  if (layers.length === 0 && !history) return null;
  return (
    <Part title={t("whyTold")}>
      {history && (
        <Text size="sm" mb={4}>
          {t("explainRead", { count: history.shown })}{" "}
          {history.leftOut > 0 && t("explainUnread", { count: history.leftOut })}
        </Text>
      )}
      {layers.map(({ key, source, tokens, share }, index) => (
        <div key={index} data-testid="layer">
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" truncate title={`${key} · ${source}`}>
              {partName(key, source, language)}
            </Text>
            <Text size="sm" style={{ whiteSpace: "nowrap" }}>
              {t("explainTokens", { count: tokens })} · {percent.format(share)}
            </Text>
          </Group>
          <Progress value={share * 100} size={4} aria-hidden="true" mb={4} />
        </div>
      ))}
      {leftOut.length > 0 && (
        <details className={textCss.folded}>
          <summary>{`${t("explainLeftOut")}: ${leftOut.length}`}</summary>
          <pre>
            {leftOut
              .map(({ key, source, why }) => `${partName(key, source, language)}: ${reasonOf(why, language)}`)
              .join("\n")}
          </pre>
        </details>
      )}
    </Part>
  );
}

function Found({ title, items }: { readonly title: TextKey; readonly items: readonly Recalled[] }) {
  const { t } = useTexts();
  if (items.length === 0) return null;
  return (
    <Part title={t(title)}>
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
    </Part>
  );
}

function Tools({ told: { tools, called } }: PartProps) {
  const { t, language } = useTexts();
  const { t: trace } = useTraceTexts();
  if (tools.offered === 0 && called.length === 0) return null;
  return (
    <Part title={t("explainTools")}>
      {called.length > 0 && (
        <ul className={textCss.plainList}>
          {called.map(({ name, status, ms }, index) => (
            <li key={index}>{`${name} · ${outcome(status, trace)} · ${durationOf(ms, language)}`}</li>
          ))}
        </ul>
      )}
      {tools.offered > 0 && (
        <details className={textCss.folded}>
          <summary>{t("explainOffered", { count: tools.offered })}</summary>
          <pre>{tools.names.replaceAll(", ", "\n")}</pre>
        </details>
      )}
    </Part>
  );
}

function Times({ told: { times } }: PartProps) {
  const { t, language } = useTexts();
  const { t: trace } = useTraceTexts();
  if (times.length === 0) return null;
  const known = PHASES.flatMap((phase) => times.filter((one) => one.phase === phase));
  const said = known.map(({ phase, ms }) => `${phaseName(phase, trace)} ${durationOf(ms, language)}`);
  return <Part title={t("explainTimes")}>{said.join(" · ")}</Part>;
}

function Deliveries({ told: { deliveries } }: PartProps) {
  const { t } = useTexts();
  const step = useStepText();
  if (deliveries.length === 0) return null;
  return (
    <Part title={t("explainDeliveries")}>
      <ul className={textCss.plainList}>
        {deliveries.map(({ id, status, part, parts, error, error_detail: detail }) => (
          <li key={id}>
            <Text span size="sm" {...(stepColor(status) === "red" && { c: "red" })}>
              {parts > 1 && `${part}/${parts} `}
              {step(status)}
            </Text>
            {error !== null && <span className={textCss.meta}> {localSentence(error, detail ?? null)}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

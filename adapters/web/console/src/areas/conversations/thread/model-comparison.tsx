import { Button, Text } from "@mantine/core";
import type { LocalizedError, Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";
import { toLocalizedError } from "../../../shared/live/frame-fields.ts";
import textCss from "../../../shared/styles/text.module.css";
import { MarkdownText } from "../markdown/markdown.tsx";
import messageCss from "../message/message.module.css";
import {
  ActionButtons,
  CopyButton,
  type MessageActionHandlers,
  toExplainActions,
  toRatingActions,
  Usage,
} from "../message/message-actions.tsx";
import { UnansweredReason } from "../message/unanswered-reason.tsx";
import { useTexts } from "../texts.ts";
import { useModelName } from "../use-model-name.ts";
import { type LiveConversation, modelIdByTrace } from "./use-conversation.ts";

/** The last question, if several models were asked and no message came after it; else undefined. */
export function findComparedQuestion(
  messages: readonly Message[],
): { readonly question: Message; readonly models: readonly string[] } | undefined {
  const question = messages.findLast(({ role }) => role === "user");
  const models = question?.metadata.asked_models;
  if (!question || !Array.isArray(models)) return undefined;
  const isAnswer = ({ role, reply_to }: Message) => role === "assistant" && reply_to === question.id;
  const isLast = messages.every((one) => one.seq <= question.seq || isAnswer(one));
  return isLast ? { question, models: models.map(String) } : undefined;
}

/** Errors of the models that did not answer, by model id. */
function toModelErrors({ metadata }: Message): ReadonlyMap<string, LocalizedError> {
  const failures = Object.entries(toJsonObject(metadata.failed_models));
  return new Map(failures.map(([model, failure]) => [model, toLocalizedError(toJsonObject(failure))]));
}

interface ModelComparisonProps {
  readonly question: Message;
  readonly models: readonly string[];
  readonly conversation: LiveConversation;
  readonly handlers: MessageActionHandlers;
}

/** The answers of several models to one question, side by side. The models answer one after another. */
export function ModelComparison({ question, models, conversation, handlers }: ModelComparisonProps) {
  const { t } = useTexts();
  const { messages, isRunning, partialReply } = conversation;
  const { session_id, id: message_id } = question;
  const answers = messages.filter(({ reply_to, role }) => role === "assistant" && reply_to === message_id);
  const { data } = useQuery({
    queryKey: [
      "session",
      "answers",
      session_id,
      message_id,
      isRunning,
      partialReply?.id,
      ...answers.map(({ id, revision }) => `${id} ${revision}`),
    ],
    queryFn: () =>
      parley.get("/api/sessions/{session_id}/messages/{message_id}/answers", { path: { session_id, message_id } }),
    placeholderData: (before) => before,
  });
  const fetchedAnswers = data?.items ?? [];
  const findAnswer = (modelId: string) =>
    fetchedAnswers.find(({ message }) => message.metadata.asked_model === modelId);
  const failures = toModelErrors(question);
  const answeringModel = partialReply && modelIdByTrace.get(partialReply.traceId);
  return (
    <div className={messageCss.sideBySide} data-testid="model-comparison">
      {models.map((modelId) => (
        <ComparisonColumn
          key={modelId}
          modelId={modelId}
          answer={findAnswer(modelId)}
          partialText={modelId === answeringModel ? (partialReply?.text ?? "") : ""}
          failure={failures.get(modelId)}
          isOpen={isRunning}
          handlers={handlers}
        />
      ))}
      <Text size="xs" c="dimmed" className={messageCss.sideHint}>
        {t("comparisonHint")}
      </Text>
    </div>
  );
}

interface ComparisonColumnProps {
  readonly modelId: string;
  readonly answer: Shapes["Answer"] | undefined;
  readonly partialText: string;
  /** Error of the model that did not answer. */
  readonly failure: LocalizedError | undefined;
  /** True while the model answers or is still to be asked. */
  readonly isOpen: boolean;
  readonly handlers: MessageActionHandlers;
}

function ComparisonColumn({ modelId, answer, partialText, failure, isOpen, handlers }: ComparisonColumnProps) {
  const { t } = useTexts();
  const toModelName = useModelName();
  const message = answer?.message;
  const name = toModelName(message ?? { model: null, model_id: modelId });
  const text = message?.content ?? partialText;
  return (
    <article className={messageCss.message} data-role="assistant" data-testid="comparison-answer">
      <div className={textCss.meta}>
        <b>{name}</b>
      </div>
      {text !== "" ? (
        <div className={messageCss.bubble} dir="auto">
          <MarkdownText text={text} isStreaming={message === undefined} />
        </div>
      ) : (
        <Text size="sm" component="div" c={failure ? "var(--mantine-color-error)" : "dimmed"} data-testid="no-answer">
          {failure ? <UnansweredReason failure={failure} /> : t(isOpen ? "comparisonWaits" : "comparisonNone")}
        </Text>
      )}
      {message && (
        <div className={messageCss.row}>
          {answer.branch_id === null ? (
            <Text size="xs" data-testid="comparison-shown">
              {t("comparisonShown")}
            </Text>
          ) : (
            handlers.canChange && (
              <Button
                size="compact-xs"
                variant="light"
                className={messageCss.whenIdle}
                onClick={() => answer.branch_id !== null && handlers.showBranch(message, answer.branch_id)}
                data-testid="comparison-choose"
              >
                {t("comparisonChoose")}
              </Button>
            )
          )}
          <CopyButton message={message} />
          <ActionButtons actions={toExplainActions(message, handlers, t)} />
          {handlers.canChange && answer.branch_id === null && (
            <ActionButtons actions={toRatingActions(message, handlers, t)} />
          )}
          {message.usage && <Usage usage={message.usage} />}
        </div>
      )}
    </article>
  );
}

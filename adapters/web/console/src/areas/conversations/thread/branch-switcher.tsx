import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";
import type { LiveConversation } from "./use-conversation.ts";

/** Position among the branches of a conversation at one message. */
export interface BranchPosition {
  /** Position from 1; 0 where none of the branches is shown. */
  readonly at: number;
  readonly count: number;
  readonly before: string | undefined;
  readonly next: string | undefined;
}

const BRANCHES_PATH = "/api/sessions/{session_id}/branches";

export const fetchBranches = async (session_id: string) =>
  (await parley.get(BRANCHES_PATH, { path: { session_id } })).items;

/** Branch positions by the id of the message they are shown under. Refetched when the shown messages change. */
export function useBranchPositions({
  sessionId,
  messages,
  isRunning,
}: LiveConversation): ReadonlyMap<string, BranchPosition> {
  const [first] = messages;
  const last = messages.at(-1);
  const { data } = useQuery({
    queryKey: ["session", "branches", sessionId, first?.id, last?.id, messages.length],
    queryFn: () => fetchBranches(sessionId),
    enabled: messages.length > 0 && !isRunning,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => new Map((data ?? []).flatMap(toBranchPositions)), [data]);
}

function toBranchPositions({ after_id, variants }: Shapes["Fork"]): readonly (readonly [string, BranchPosition])[] {
  const at = variants.findIndex(({ branch_id }) => branch_id === null);
  const under = variants[at]?.message_id ?? after_id;
  if (under === null) return [];
  const around = (step: number) => variants[at + step]?.branch_id ?? undefined;
  const before = at === -1 ? (variants.at(-1)?.branch_id ?? undefined) : around(-1);
  return [[under, { at: at + 1, count: variants.length, before, next: at === -1 ? undefined : around(1) }]];
}

interface BranchSwitcherProps {
  readonly steps: BranchPosition | undefined;
  readonly message: Message;
  readonly show: (message: Message, branchId: string) => void;
}

/** Switches to the previous or next branch. */
export function BranchSwitcher({ steps, message, show }: BranchSwitcherProps) {
  const { t } = useTexts();
  if (!steps || steps.count < 1) return null;
  const { at, count, before, next } = steps;
  const button = (icon: "back" | "next", label: string, branch: string | undefined) => (
    <IconButton
      icon={icon}
      size="sm"
      label={label}
      isDisabled={branch === undefined}
      onClick={() => branch !== undefined && show(message, branch)}
      testId={`variant-${icon}`}
    />
  );
  return (
    <span className={`${messageCss.swipe} ${messageCss.whenIdle}`} data-testid="variants">
      {button("back", t("variantBefore"), before)}
      <span aria-live="polite" title={t("variants")}>{`${at} / ${count}`}</span>
      {button("next", t("variantNext"), next)}
    </span>
  );
}

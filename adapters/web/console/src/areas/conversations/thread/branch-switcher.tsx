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
  /** Position from 1; 0 when none of the branches is shown. */
  readonly position: number;
  readonly count: number;
  /** Branch ids; undefined at the ends. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

const BRANCHES_PATH = "/api/sessions/{session_id}/branches";

export const fetchBranches = async (session_id: string) =>
  (await parley.get(BRANCHES_PATH, { path: { session_id } })).items;

/** Returns branch positions by the id of the message below which they appear; refetched when the messages change. */
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
  const position = variants.findIndex(({ branch_id }) => branch_id === null);
  const shownUnder = variants[position]?.message_id ?? after_id;
  if (shownUnder === null) return [];
  const toBranchId = (step: number) => variants[position + step]?.branch_id ?? undefined;
  const previous = position === -1 ? (variants.at(-1)?.branch_id ?? undefined) : toBranchId(-1);
  const next = position === -1 ? undefined : toBranchId(1);
  return [[shownUnder, { position: position + 1, count: variants.length, previous, next }]];
}

interface BranchSwitcherProps {
  readonly branchPosition: BranchPosition | undefined;
  readonly message: Message;
  readonly show: (message: Message, branchId: string) => void;
}

/** Switches to the previous or next branch. */
export function BranchSwitcher({ branchPosition, message, show }: BranchSwitcherProps) {
  const { t } = useTexts();
  if (!branchPosition || branchPosition.count < 1) return null;
  const { position, count, previous, next } = branchPosition;
  const renderButton = (icon: "back" | "next", label: string, branch: string | undefined) => (
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
      {renderButton("back", t("previousVariant"), previous)}
      <span aria-live="polite" title={t("variants")}>{`${position} / ${count}`}</span>
      {renderButton("next", t("nextVariant"), next)}
    </span>
  );
}

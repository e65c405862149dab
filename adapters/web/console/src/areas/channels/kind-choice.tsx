import { Badge } from "@mantine/core";
import { useId } from "react";
import textCss from "../../shared/styles/text.module.css";
import { PlatformMark } from "../../shared/ui/tile.tsx";
import kindChoiceCss from "./kind-choice.module.css";
import { useTexts } from "./texts.ts";

/** One kind of channel that can be added. */
export interface Kind {
  readonly value: string;
  /** Its sign is that of this type. */
  readonly type: string;
  readonly title: string;
  readonly sentence: string;
  readonly isInstalled: boolean;
}

interface KindChoiceProps {
  readonly kinds: readonly Kind[];
  readonly value: string;
  readonly choose: (value: string) => void;
}

/** The kinds as cards, of which one is chosen; the keys are those of every group of radio buttons. */
export function KindChoice({ kinds, value, choose }: KindChoiceProps) {
  const { t } = useTexts();
  return (
    <fieldset className={kindChoiceCss.kinds} data-testid="channel-kind">
      <legend>{t("channelKind")}</legend>
      {kinds.map((kind) => (
        <KindCard key={kind.value} kind={kind} isChosen={kind.value === value} choose={choose} />
      ))}
    </fieldset>
  );
}

interface KindCardProps {
  readonly kind: Kind;
  readonly isChosen: boolean;
  readonly choose: (value: string) => void;
}

function KindCard({ kind: { value, type, title, sentence, isInstalled }, isChosen, choose }: KindCardProps) {
  const { t } = useTexts();
  const id = useId();
  return (
    <div className={kindChoiceCss.kind}>
      <input
        type="radio"
        name="channel-kind"
        value={value}
        checked={isChosen}
        disabled={!isInstalled}
        onChange={() => choose(value)}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-about`}
        data-autofocus={isChosen || undefined}
      />
      <PlatformMark type={type} />
      <span>
        <b id={`${id}-title`}>{title}</b>
        <span id={`${id}-about`} className={textCss.meta}>
          {sentence}
          {!isInstalled && (
            <Badge size="xs" color="gray" variant="light" ml={6}>
              {t("notInstalledShort")}
            </Badge>
          )}
        </span>
      </span>
    </div>
  );
}

import { Badge } from "@mantine/core";
import { useId } from "react";
import textCss from "../../shared/styles/text.module.css";
import { PlatformMark } from "../../shared/ui/element/tile.tsx";
import channelTypeSelectCss from "./channel-type-select.module.css";
import { useTexts } from "./texts.ts";

/** One kind of channel that can be added. */
export interface ChannelTypeOption {
  readonly value: string;
  /** Channel type; selects the icon. */
  readonly type: string;
  readonly title: string;
  readonly sentence: string;
  readonly isInstalled: boolean;
}

interface ChannelTypeSelectProps {
  readonly kinds: readonly ChannelTypeOption[];
  readonly value: string;
  readonly onSelect: (value: string) => void;
}

/** The channel types as cards of one radio group, with its usual keys. */
export function ChannelTypeSelect({ kinds, value, onSelect }: ChannelTypeSelectProps) {
  const { t } = useTexts();
  return (
    <fieldset className={channelTypeSelectCss.kinds} data-testid="channel-kind">
      <legend>{t("channelKind")}</legend>
      {kinds.map((kind) => (
        <ChannelTypeCard key={kind.value} kind={kind} isChosen={kind.value === value} onSelect={onSelect} />
      ))}
    </fieldset>
  );
}

interface ChannelTypeCardProps {
  readonly kind: ChannelTypeOption;
  readonly isChosen: boolean;
  readonly onSelect: (value: string) => void;
}

function ChannelTypeCard({
  kind: { value, type, title, sentence, isInstalled },
  isChosen,
  onSelect,
}: ChannelTypeCardProps) {
  const { t } = useTexts();
  const id = useId();
  return (
    <div className={channelTypeSelectCss.kind}>
      <input
        type="radio"
        name="channel-kind"
        value={value}
        checked={isChosen}
        disabled={!isInstalled}
        onChange={() => onSelect(value)}
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

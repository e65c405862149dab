import { Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useState } from "react";
import { toJsonObject } from "../../../shared/json-object.ts";
import passageCss from "../../../shared/styles/passage.module.css";
import textCss from "../../../shared/styles/text.module.css";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

/** A passage of the knowledge base that a reply cites by number. */
interface Citation {
  readonly number: number;
  readonly title: string;
  readonly heading: string;
  readonly chunk: string;
}

/** The cited passages of a reply, as footnotes that open them. */
export function Citations({ metadata }: Pick<Message, "metadata">) {
  const { t } = useTexts();
  const [shown, setShown] = useState<Citation>();
  const citations = toCitations(metadata);
  if (citations.length === 0) return null;
  return (
    <section className={messageCss.citations} aria-label={t("sources")}>
      {citations.map((one) => (
        <button
          key={one.number}
          type="button"
          className={textCss.oneLine}
          onClick={() => setShown(one)}
          data-testid="citation"
        >
          [{one.number}] {one.title}
        </button>
      ))}
      <Dialog opened={shown !== undefined} onClose={() => setShown(undefined)} title={shown?.title ?? ""}>
        {shown?.heading && (
          <Text size="sm" c="dimmed">
            {shown.heading}
          </Text>
        )}
        <div className={passageCss.knowledgePassage} data-testid="cited-passage">
          {shown?.chunk}
        </div>
      </Dialog>
    </section>
  );
}

// Imported messages may have anything in their metadata.
function toCitations({ citations }: Message["metadata"]): readonly Citation[] {
  const all: readonly unknown[] = Array.isArray(citations) ? citations : [];
  return all.filter((one): one is Citation => {
    const { number, title, heading, chunk } = toJsonObject(one);
    return typeof number === "number" && [title, heading, chunk].every((text) => typeof text === "string");
  });
}

import { Button, Group } from "@mantine/core";
import { storePortrait } from "../api/cards.ts";
import { parley } from "../api/client.ts";
import type { JsonObject } from "../json-object.ts";
import { Failure, useAction } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { IconButton } from "../ui/element/icon-button.tsx";
import { Portrait } from "../ui/element/portrait.tsx";
import { FileButton } from "../ui/form/file-button.tsx";
import cardEditorCss from "./card-editor.module.css";
import type { CardValues } from "./card-fields.ts";
import { useTexts } from "./texts.ts";

interface PictureFieldProps {
  readonly values: CardValues;
  readonly onChange: (patch: Partial<CardValues>) => void;
  readonly card: JsonObject;
}

/** The portrait: from a file, or drawn by a model. */
export function PictureField({ values, onChange, card }: PictureFieldProps) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction([]);
  const use = (url: string) => onChange({ portrait: url, avatar: url });
  const choose = (file: File | null) => {
    if (file) void toHandler(async () => use((await storePortrait(file)).url))();
  };
  const draw = toHandler(async () => {
    const body = { card, size: "1024x1536" as const };
    use((await parley.post("/api/personality/generate-portrait", { body })).url);
  });
  const url = values.portrait || values.avatar;
  return (
    <section aria-label={t("portrait")} className={cardEditorCss.pictureField}>
      <Portrait name={values.name || "?"} url={url} kind="large" />
      <Group gap={4} mt="xs" justify="center">
        <FileButton accept="image/png,image/jpeg,image/webp,image/gif" onChange={choose}>
          {(props) => (
            <Button {...props} size="compact-xs" variant="default" loading={isBusy}>
              {t("choosePicture")}
            </Button>
          )}
        </FileButton>
        <Button
          size="compact-xs"
          variant="default"
          loading={isBusy}
          disabled={values.name.trim() === ""}
          leftSection={<Icon name="picture" size={14} />}
          onClick={draw}
        >
          {t("drawPicture")}
        </Button>
        {url !== "" && <IconButton icon="close" size="sm" label={t("removePicture")} onClick={() => use("")} />}
      </Group>
      <Failure error={error} />
    </section>
  );
}

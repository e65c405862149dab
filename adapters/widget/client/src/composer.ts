import { MAX_FILES, MAX_TEXT, type WidgetConfig } from "../../src/sockets/protocol.ts";
import type { AttachedFile } from "./chat.ts";
import { element, icon } from "./dom.ts";
import type { Translate } from "./texts.ts";

/** The form in which visitors write. */
export interface Composer {
  readonly node: HTMLElement;
  focus(): void;
}

export interface ComposerOptions {
  readonly config: Pick<WidgetConfig, "files" | "max_file_bytes">;
  readonly t: Translate;
  /** Text that was not sent before the page was left. */
  readonly draft: string;
  onDraft(text: string): void;
  send(text: string, files: readonly AttachedFile[]): void;
  upload(file: File): Promise<AttachedFile>;
}

interface Attachments {
  readonly list: HTMLElement;
  readonly files: AttachedFile[];
  isUploading: boolean;
}

export function createComposer(options: ComposerOptions): Composer {
  const { config, t, draft, onDraft, send } = options;
  const attachments: Attachments = {
    list: element("div", { class: "attached", role: "status" }),
    files: [],
    isUploading: false,
  };
  const field = element("textarea", {
    rows: "1",
    maxlength: String(MAX_TEXT),
    placeholder: t("write"),
    "aria-label": t("write"),
  });
  field.value = draft;
  const submit = (event: Event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (attachments.isUploading || (text === "" && attachments.files.length === 0)) return;
    send(text, attachments.files.splice(0));
    attachments.list.replaceChildren();
    field.value = "";
    onDraft("");
    fit(field);
    field.focus();
  };
  field.addEventListener("input", () => {
    onDraft(field.value);
    fit(field);
  });
  field.addEventListener("keydown", (event) => {
    // While an input method composes a word, Enter chooses it.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
  });
  const node = element(
    "form",
    { class: "composer", submit },
    attachments.list,
    element(
      "div",
      { class: "line" },
      ...(config.files ? createAttachButton(attachments, options) : []),
      field,
      element(
        "button",
        { type: "submit", class: "icon send", "aria-label": t("send"), title: t("send") },
        icon("send"),
      ),
    ),
  );
  return { node, focus: () => field.focus() };
}

function fit(field: HTMLTextAreaElement): void {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight + 2, 140)}px`;
}

function createAttachButton(attachments: Attachments, options: ComposerOptions): readonly HTMLElement[] {
  const { t } = options;
  const input = element("input", { type: "file", hidden: true, multiple: true, tabindex: "-1", "aria-hidden": "true" });
  input.addEventListener("change", () => {
    const chosen = [...(input.files ?? [])];
    input.value = "";
    void attachAll(chosen, attachments, options);
  });
  const click = () => input.click();
  return [
    input,
    element(
      "button",
      { type: "button", class: "icon", "aria-label": t("attach"), title: t("attach"), click },
      icon("attach"),
    ),
  ];
}

async function attachAll(chosen: readonly File[], attachments: Attachments, options: ComposerOptions): Promise<void> {
  const { config, t, upload } = options;
  const problems: string[] = [];
  attachments.isUploading = true;
  showFiles(attachments, t, [t("uploading")]);
  for (const file of chosen.slice(0, MAX_FILES - attachments.files.length)) {
    if (file.size > config.max_file_bytes) problems.push(t("fileTooLarge", file.name));
    else
      await upload(file).then(
        (attached) => attachments.files.push(attached),
        () => problems.push(t("fileFailed", file.name)),
      );
  }
  attachments.isUploading = false;
  showFiles(attachments, t, problems);
}

function showFiles(attachments: Attachments, t: Translate, notes: readonly string[]): void {
  const chips = attachments.files.map((file) => {
    const remove = () => {
      attachments.files.splice(attachments.files.indexOf(file), 1);
      showFiles(attachments, t, []);
    };
    const button = element(
      "button",
      { type: "button", class: "link", "aria-label": t("remove", file.name), click: remove },
      "×",
    );
    return element("span", { class: "chip" }, file.name, " ", button);
  });
  attachments.list.replaceChildren(...chips, ...notes.map((note) => element("div", { class: "note" }, note)));
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const TEXTUAL = "textarea, input:is([type='text'], [type='url'], [type='number'], :not([type]))";

/** All that stands in the text fields of a form, each under its label. */
export function writtenIn(form: HTMLFormElement): string {
  return [...form.querySelectorAll<Field>(TEXTUAL)]
    .filter(({ value }) => value.trim() !== "")
    .map((field) => [nameOf(field), field.value].filter(Boolean).join("\n"))
    .join("\n\n");
}

function nameOf(field: Field): string {
  const label = field.labels?.[0]?.cloneNode(true) as HTMLElement | undefined;
  for (const sign of label?.querySelectorAll("[aria-hidden]") ?? []) sign.remove();
  return label?.textContent?.trim() ?? field.getAttribute("aria-label") ?? "";
}

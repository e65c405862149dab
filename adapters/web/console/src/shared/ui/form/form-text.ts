type Field = HTMLInputElement | HTMLTextAreaElement;

const TEXT_FIELDS = "textarea, input:is([type='text'], [type='url'], [type='number'], :not([type]))";

/** Returns the contents of all text fields, each under its label. */
export function readFormText(form: HTMLFormElement): string {
  return [...form.querySelectorAll<Field>(TEXT_FIELDS)]
    .filter(({ value }) => value.trim() !== "")
    .map((field) => [toFieldLabel(field), field.value].filter(Boolean).join("\n"))
    .join("\n\n");
}

function toFieldLabel(field: Field): string {
  const label = field.labels?.[0]?.cloneNode(true);
  if (!(label instanceof HTMLElement)) return field.getAttribute("aria-label") ?? "";
  for (const sign of label.querySelectorAll("[aria-hidden]")) sign.remove();
  return label.textContent.trim();
}

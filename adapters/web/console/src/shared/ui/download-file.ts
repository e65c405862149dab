export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function downloadJson(name: string, content: object): void {
  downloadFile(new Blob([JSON.stringify(content, undefined, 2)], { type: "application/json" }), name);
}

export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}

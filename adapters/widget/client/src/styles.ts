/** Styles of the chat. Pages change its look by the variables that begin with `--parley-`. */
export const STYLES = `
:host {
  --accent: var(--parley-color, var(--parley-config-color));
  --on-accent: var(--parley-on-color, var(--parley-config-on-color));
  --bg: var(--parley-background, #fff);
  --text: var(--parley-text, #1c1f23);
  --muted: var(--parley-muted, #5b636d);
  --surface: var(--parley-surface, #f0f2f4);
  --line: var(--parley-line, #d6dade);
  --danger: #b42318;
  --radius: var(--parley-radius, 14px);
  all: initial;
  position: fixed;
  z-index: var(--parley-z-index, 2147483000);
  inset: auto 0 0 auto;
  font: 15px/1.5 var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", sans-serif);
  color: var(--text);
  color-scheme: light dark;
}
:host([data-position="left"]) { inset: auto auto 0 0; }
@media (prefers-color-scheme: dark) {
  :host {
    --bg: var(--parley-background, #17191c);
    --text: var(--parley-text, #eceef0);
    --muted: var(--parley-muted, #a6aeb7);
    --surface: var(--parley-surface, #262a2f);
    --line: var(--parley-line, #3b4148);
    --danger: #ffa198;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea, select { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; display: block; }
.launcher {
  position: fixed; bottom: 20px; right: 20px; width: 56px; height: 56px; border: 0; border-radius: 50%;
  display: grid; place-items: center; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
}
:host([data-position="left"]) .launcher { right: auto; left: 20px; }
.badge { position: absolute; top: 0; right: 0; min-width: 18px; height: 18px; padding: 0 5px; border-radius: 9px; background: #b42318; color: #fff; font-size: 12px; line-height: 18px; text-align: center; }
.panel {
  position: fixed; bottom: 88px; right: 20px; width: min(380px, calc(100vw - 40px)); height: min(600px, calc(100vh - 108px));
  display: flex; flex-direction: column; overflow: hidden; background: var(--bg); color: var(--text);
  border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 12px 40px rgb(0 0 0 / 25%);
}
:host([data-position="left"]) .panel { right: auto; left: 20px; }
header { display: flex; align-items: center; gap: 8px; padding: 10px 10px 10px 16px; background: var(--accent); color: var(--on-accent); }
header .title { flex: 1; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
header :focus-visible { outline-color: currentColor; }
.icon { flex: none; width: 40px; height: 40px; border: 0; border-radius: 10px; background: transparent; display: grid; place-items: center; }
.icon:hover { background: rgb(128 128 128 / 18%); }
.log { flex: 1; overflow-y: auto; padding: 14px; display: flex; flex-direction: column; gap: 8px; overscroll-behavior: contain; }
.log:focus-visible { outline-offset: -3px; }
.bubble { max-width: 86%; padding: 8px 12px; border-radius: var(--radius); overflow-wrap: anywhere; align-self: flex-start; background: var(--surface); }
.bubble.user { align-self: flex-end; background: var(--accent); color: var(--on-accent); white-space: pre-wrap; }
.with-note { display: flex; flex-direction: column; gap: 2px; }
.with-note.user { align-items: flex-end; text-align: right; }
.with-note .bubble { text-align: left; }
.bubble > * { margin: 0; }
.bubble > * + * { margin-top: 8px; }
.bubble ul, .bubble ol { padding-left: 22px; }
.bubble a { color: inherit; text-decoration: underline; }
.bubble pre { padding: 8px; overflow-x: auto; border-radius: 8px; background: rgb(128 128 128 / 18%); }
.bubble code { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: rgb(128 128 128 / 18%); border-radius: 4px; padding: 1px 4px; }
.bubble pre code { background: none; padding: 0; }
.bubble blockquote { padding-left: 10px; border-left: 3px solid var(--line); }
.partial::after { content: "▍"; color: var(--muted); }
.sender { font-size: 12px; font-weight: 600; color: var(--muted); }
.file { display: block; font-size: 14px; }
.note { font-size: 13px; color: var(--muted); }
.choices { display: flex; flex-wrap: wrap; gap: 6px; }
.choice { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; min-height: 36px; padding: 6px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--bg); color: var(--text); font: inherit; text-decoration: none; overflow-wrap: anywhere; }
.choice.primary { border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
.choice.danger { border-color: currentColor; color: var(--danger); }
.choice[aria-disabled="true"], .choice:disabled { border-color: var(--line); background: var(--surface); color: var(--muted); cursor: default; }
.choice[aria-pressed="true"] { border-color: var(--accent); color: var(--text); }
.choice[aria-pressed="true"]::before { content: "✓"; }
.card { max-width: 86%; display: grid; gap: 8px; justify-items: start; padding: 10px 12px; border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: anywhere; }
.card p { margin: 0; }
.link { padding: 0; border: 0; background: none; color: inherit; text-decoration: underline; }
.status { min-height: 20px; padding: 0 16px 4px; font-size: 13px; color: var(--muted); }
.composer { padding: 10px; border-top: 1px solid var(--line); }
.line { display: flex; align-items: flex-end; gap: 4px; }
textarea { flex: 1; min-width: 0; min-height: 40px; max-height: 140px; resize: none; padding: 8px 10px; border: 1px solid var(--line); border-radius: 10px; background: var(--bg); font-size: 16px; line-height: 22px; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.attached { display: flex; flex-wrap: wrap; gap: 4px; }
.attached:not(:empty) { padding-bottom: 8px; }
.chip { max-width: 100%; padding: 2px 8px; border-radius: 8px; background: var(--surface); font-size: 13px; overflow-wrap: anywhere; }
.consent { padding: 16px; border-top: 1px solid var(--line); display: grid; gap: 12px; }
.consent p { margin: 0; }
.consent a { color: inherit; }
.primary { min-height: 40px; padding: 8px 14px; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent); font-weight: 600; }
@media (max-width: 480px) {
  .panel, :host([data-position="left"]) .panel { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; padding-bottom: env(safe-area-inset-bottom); }
  .is-open .launcher { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .partial::after { animation: blink 1s steps(2) infinite; }
  @keyframes blink { 50% { opacity: 0; } }
}
`;

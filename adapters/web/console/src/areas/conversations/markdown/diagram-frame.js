// Runs in the sandboxed frame of a diagram, beside mermaid; it only draws and tells how high that became.
const drawing = document.getElementById("drawing");
let asked = 0;

addEventListener("message", async ({ data, source: parent }) => {
  if (parent !== window.parent) return;
  asked += 1;
  const own = asked;
  const { mermaid } = globalThis;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: data.isDark ? "dark" : "default",
    maxTextSize: 50_000,
    maxEdges: 500,
    suppressErrorRendering: true,
  });
  try {
    const { svg } = await mermaid.render(`d${own}`, data.source);
    if (own !== asked) return;
    drawing.innerHTML = svg;
    // From here they lead nowhere, and the drawing would be gone.
    for (const link of drawing.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    parent.postMessage({ height: Math.ceil(drawing.getBoundingClientRect().height) + 4 }, "*");
  } catch (error) {
    parent.postMessage({ error: String(error?.message ?? error) }, "*");
  }
});

// Runs in the sandboxed frame of a diagram: draws it with mermaid and posts its height, or the error, to the page.
const drawing = document.getElementById("drawing");
let lastRequest = 0;

addEventListener("message", async ({ data, source: parent }) => {
  if (parent !== window.parent) return;
  lastRequest += 1;
  const request = lastRequest;
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
    const { svg } = await mermaid.render(`d${request}`, data.source);
    if (request !== lastRequest) return;
    drawing.innerHTML = svg;
    // Following a link would replace the drawing in the frame.
    for (const link of drawing.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    parent.postMessage({ height: Math.ceil(drawing.getBoundingClientRect().height) + 4 }, "*");
  } catch (error) {
    parent.postMessage({ error: String(error?.message ?? error) }, "*");
  }
});

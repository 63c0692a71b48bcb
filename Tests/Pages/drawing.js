// Reads the texts and boxes of a drawing, with another font if one is given. It runs in a world of its own.
(font => {
  const root = document.documentElement;
  const texts = [...root.querySelectorAll("text")];
  for (const text of texts) {
    const isCode = /mono/i.test(text.dataset.family ??= getComputedStyle(text).fontFamily);
    text.style.fontFamily = font ? (isCode ? `"${font} Sans Mono", "${font} Mono"` : `"${font} Sans"`) : "";
  }
  const box = element => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    return {left, right, top, bottom};
  };
  const isIn = (x, y, frame) => x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom;
  const area = frame => (frame.right - frame.left) * (frame.bottom - frame.top);
  const rects = [...root.querySelectorAll("rect")].filter(each => !each.closest("defs, marker"));

  // The point at which a text is fixed: it stays in its box, however long the text is.
  const anchor = text => {
    const {x, y, height} = text.getBBox();
    const at = Number(text.getAttribute("x") ?? x);
    const point = new DOMPoint(at, y + height / 2).matrixTransform(text.getScreenCTM());
    return [point.x, point.y];
  };
  const color = css => {
    const parts = css.match(/^rgba?\(([^)]*)\)$/)?.[1].split(/[\s,/]+/).map(Number);
    if (!parts || (parts[3] ?? 1) !== 1) throw new Error(`The color ${css} can't be measured.`);
    return parts.slice(0, 3);
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(each => each / 255).map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  // GitHub's page is the background of a drawing without one.
  const page = matchMedia("(prefers-color-scheme: dark)").matches ? [13, 17, 23] : [255, 255, 255];

  const window = box(root);
  return {
    names: ["title", ...(root.getAttribute("aria-labelledby") ?? "").split(" ")].map(
      (name, index) => (index ? document.getElementById(name) : root.firstElementChild?.closest(name))?.textContent ?? ""),
    role: root.getAttribute("role"), size: [root.getAttribute("width"), root.getAttribute("height")],
    texts: texts.map(text => {
      const [x, y] = anchor(text);
      const around = rects.filter(each => isIn(x, y, box(each)));
      const frame = around.map(box).sort((one, other) => area(one) - area(other))[0] ?? window;
      const painted = around.filter(each => getComputedStyle(each).fill !== "none"
        && each.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
      const below = painted.length ? color(getComputedStyle(painted.at(-1)).fill) : page;
      return {text: text.textContent, box: box(text), frame, contrast: ratio(color(getComputedStyle(text).fill), below)};
    }),
    window,
  };
})

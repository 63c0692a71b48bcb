// Reads what a page displays. It runs in a world of its own, so that it isn't one of the page's scripts.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = element => {
    const {left, right, top, bottom, width} = element.getBoundingClientRect();
    return {left, right, top, bottom, width};
  };

  // The text of an element as it is displayed: nothing for a missing element, and a mark for a hidden one.
  const shown = element => {
    if (!element) return null;
    const {width, height} = element.getBoundingClientRect();
    const isVisible = element.checkVisibility({opacityProperty: true, visibilityProperty: true});
    return isVisible && width > 0 && height > 0 ? element.innerText : "(hidden)";
  };
  const texts = (selector, root) => all(selector, root).map(shown);

  const textNodes = () => {
    const nodes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.data.trim() && !["STYLE", "SCRIPT"].includes(node.parentElement.tagName)) nodes.push(node);
    }
    return nodes;
  };

  const rects = node => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(rect => rect.width > 0);
  };

  // Texts that leave the box around them, or the window.
  const outside = () => textNodes().filter(node => {
    const frames = [node.parentElement.closest(".phone"), node.parentElement.closest(".banner, td, th, li")].filter(Boolean);
    return rects(node).some(rect => rect.left < -0.5 || rect.right > innerWidth + 0.5 || frames.map(box).some(
      frame => rect.left < frame.left - 1 || rect.right > frame.right + 1 || rect.top < frame.top - 1
        || rect.bottom > frame.bottom + 1));
  }).map(node => node.data.slice(0, 40));

  const wide = () => all("body *").filter(element => {
    const {left, right, width} = box(element);
    return width > 0 && (left < -0.5 || right > innerWidth + 0.5);
  }).map(element => `${element.tagName.toLowerCase()}.${element.className}`);

  const colors = css => [...css.matchAll(/rgba?\(([^)]*)\)/g)].map(match => {
    const [r, g, b, a = 1] = match[1].split(/[\s,/]+/).map(Number);
    return {r, g, b, a};
  });
  const blend = (below, above, opacity) => {
    const a = above.a * opacity;
    return Object.fromEntries(["r", "g", "b"].map(part => [part, below[part] * (1 - a) + above[part] * a]));
  };
  const luminance = color => {
    const [r, g, b] = ["r", "g", "b"].map(part => {
      const value = color[part] / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const chain = element => element ? [...chain(element.parentElement), element] : [];
  const opacity = element => chain(element).reduce((product, each) => product * Number(getComputedStyle(each).opacity), 1);

  // The colors below an element: each color of a gradient is possible.
  const backgrounds = element => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const canvas = isDark ? {r: 18, g: 18, b: 18} : {r: 255, g: 255, b: 255};
    return chain(element).reduce((below, each) => {
      const style = getComputedStyle(each);
      const layers = [colors(style.backgroundColor), colors(style.backgroundImage)].filter(layer => layer.length > 0);
      return layers.reduce((under, layer) => layer.flatMap(
        color => under.map(base => blend(base, color, opacity(each)))), below);
    }, [canvas]);
  };
  const contrasts = () => textNodes().map(node => {
    const element = node.parentElement;
    const [color] = colors(getComputedStyle(element).color);
    const values = backgrounds(element).map(base => ratio(base, blend(base, color, opacity(element))));
    return {text: node.data.slice(0, 40), ratio: Math.min(...values)};
  });

  // Whether the last character of a right-to-left line is at its left.
  const direction = element => element.innerText.split("\n").filter(line => /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}]/u.test(line))
    .map(line => {
      const node = element.firstChild;
      const start = node.data.indexOf(line);
      const [first, last] = [start, start + line.trimEnd().length - 1].map(at => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
      });
      return {line, isRight: last.top > first.top + 2 || last.left < first.left};
    });

  const rows = table => table ? all("tr", table).map(row => ({
    name: shown(row.querySelector("td:first-child, th")), value: shown(row.querySelector("td:last-child > :first-child")
      ?? row.querySelector("td:last-child")), style: row.querySelector("td:last-child > :first-child")?.className ?? "",
    marks: texts("td > div", row),
  })) : [];

  const sections = all("main > section");
  return {
    elements: all("*").map(element => element.tagName.toLowerCase()),
    attributes: all("*").flatMap(element => [...element.attributes].map(
      ({name, value}) => [element.tagName.toLowerCase(), name, value])),
    title: document.title, heading: shown(document.querySelector("h1")),
    phones: all(".phone").map(phone => Object.fromEntries(["title", "subtitle", "body", "badge"].map(
      name => [name, shown(phone.querySelector(`.${name}`))]))),
    properties: rows(sections[0]?.querySelector("table")), values: rows(sections[1]?.querySelector("table")),
    reasons: texts(".reason"), chosen: texts(".chosen"), findings: texts("section li > div"),
    size: shown(document.querySelector(".bar + p")),
    bar: all(".bar, .bar > div").map(element => element.clientWidth),
    sections: sections.map(box), phoneBoxes: all(".phone").map(box),
    scrollWidth: document.documentElement.scrollWidth, windowWidth: innerWidth,
    wide: wide(), outside: outside(), contrasts: contrasts(),
    directions: all(".phone .title, .phone .subtitle, .phone .body").flatMap(direction),
  };
})()

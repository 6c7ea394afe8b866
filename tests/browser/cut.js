/* The texts of the page that are not visible as a whole: they run out of their element or of a button, or an element
   around them clips them. What is clipped as a whole is meant for screen readers. Pictures are left out, and what can be
   scrolled into sight. In a field the text has to fit, in a list the chosen entry beside the arrow. */
() => {
  const ARROW = 20;
  const canvas = document.createElement('canvas').getContext('2d');
  const range = document.createRange();
  const found = new Set();
  const report = (text, one) => found.add(`${text.trim()} in <${one.tagName.toLowerCase()} class="${one.className}">`);

  function isCut(text) {
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
    let cut = false;
    for (let one = text.parentElement; one; one = one.parentElement) {
      const { clipPath, overflowX, overflowY, display } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const across = overflowX !== 'visible' || one.matches('button, .button') || (one === text.parentElement && display !== 'inline');
      const down = overflowY !== 'visible';
      const meets = (line) => line.left < box.right && line.right > box.left && line.top < box.bottom && line.bottom > box.top;
      if (clipPath !== 'none' || ((across || down) && !lines.some(meets))) return false;
      if ([overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')) return cut;
      cut ||= across && lines.some((line) => line.left < box.left - 1 || line.right > box.right + 1);
      cut ||= down && lines.some((line) => line.top < box.top - 4 || line.bottom > box.bottom + 4);
    }
    return cut;
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const parent = text.parentElement;
    if (text.data.trim() && !parent.closest('svg, option') && parent.checkVisibility({ visibilityProperty: true }) && isCut(text)) report(text.data, parent);
  }
  for (const one of document.querySelectorAll('select, input:is(:not([type]), [type=text])')) {
    const text = one.selectedOptions ? one.selectedOptions[0]?.text : one.value || one.placeholder;
    if (!text || !one.checkVisibility()) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(one);
    canvas.font = font;
    const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - (one.selectedOptions ? ARROW : 0);
    if (canvas.measureText(text).width > room) report(text, one);
  }
  return [...found];
}

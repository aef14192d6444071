/* Runs in the page: watches where the Tab key leads, and what a reader sees of it. */
globalThis.qpilotWalk = (() => {
  // What is compared must not be half way between two looks.
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');

  const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const isControl = (element) =>
    element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true });
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()} "${element.ariaLabel ?? element.textContent?.trim() ?? ''}" ${element.getAttribute('class')}`.slice(
      0,
      120,
    );
  const AROUND = 3;
  /** Focus may be drawn around an element, the label behind it, or a box around both. */
  const lookOf = (element) => {
    const boxes = [element, element.nextElementSibling];
    for (let box = element.parentElement; box && boxes.length < 2 + AROUND; box = box.parentElement)
      boxes.push(box);
    return boxes
      .filter((each) => each instanceof HTMLElement || each instanceof SVGElement)
      .map((each) => {
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } =
          getComputedStyle(each);
        return [outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor].join();
      })
      .join(';');
  };

  let stops = [];
  /** Controls that were shown when the way led past them. What comes in later can only be reached on a next round. */
  let passed = new Set();
  const pass = (from, to) => {
    const all = [...document.querySelectorAll(CONTROLS)];
    const start = from ? all.indexOf(from) + 1 : 0;
    if (from && start === 0) return; // it is gone, and with it its place
    const end = to ? all.indexOf(to) : all.length;
    for (const each of all.slice(start, Math.max(start, end))) if (isControl(each)) passed.add(each);
  };
  const onFocus = ({ target }) => {
    const first = stops[0]?.element;
    const isBack = first !== undefined && stops.some(({ element }, at) => at > 0 && element === first);
    if (!isBack) pass(stops.at(-1)?.element, target === first ? undefined : target);
    stops.push({ element: target, focused: lookOf(target) });
  };

  return {
    begin() {
      stops = [];
      passed = new Set();
      document.adoptedStyleSheets = [still];
      // Without it the way would go on from where the focus was last.
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute('tabindex');
      addEventListener('focusin', onFocus);
    },
    /** The way led out of the page, or to its beginning again. */
    isOver: () =>
      document.activeElement === document.body ||
      stops.some(({ element }, at) => at > 0 && element === stops[0].element),
    end() {
      removeEventListener('focusin', onFocus);
      document.activeElement?.blur();
      const again = stops.findIndex(({ element }, at) => at > 0 && element === stops[0].element);
      if (again < 0) pass(stops.at(-1)?.element);
      const way = again > 0 ? stops.slice(0, again) : stops;
      const reached = new Set(way.map(({ element }) => element));
      const isReached = (element) =>
        reached.has(element) ||
        (element.type === 'radio' &&
          [...reached].some(({ type, name }) => type === 'radio' && name === element.name));
      const there = way.filter(({ element }) => element.isConnected);
      const seen = {
        stops: way.length,
        unreached: [...passed].filter((each) => isControl(each) && !isReached(each)).map(nameOf),
        outOfOrder: there
          .filter(({ element }, at) => {
            const before = there[at - 1]?.element;
            return before && before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
          })
          .map(({ element }) => nameOf(element)),
        unseen: there
          .filter(({ element, focused }) => lookOf(element) === focused)
          .map(({ element }) => nameOf(element)),
      };
      document.adoptedStyleSheets = [];
      return seen;
    },
  };
})();

/* What a page is asked while it is looked at; looking.py brings it in, together with axe. */
window.looking = {
  /** What moves from one look to another has arrived; a chart is as wide as its page now is. */
  async settled() {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    const charts = [...document.querySelectorAll(".chart")];
    const late = (chart) => chart.scrollWidth > chart.clientWidth + 1;
    for (let frame = 0; frame < 100 && charts.some(late); frame++)
      await new Promise(requestAnimationFrame);
  },

  /** What reaches past the window, or is cut off within its own box. */
  async spilled() {
    await this.settled();
    const width = document.documentElement.clientWidth, found = [];
    if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
    for (const element of document.querySelectorAll("header *, main *, footer *")) {
      if (element.closest(".scroll, svg") || element.matches("input, select, .visually-hidden")) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || getComputedStyle(element).display === "inline") continue;
      if (!element.checkVisibility()) continue;
      // The save bar reaches from edge to edge of the window, past what holds it.
      const isCut = element.scrollWidth > element.clientWidth + 1 && !element.matches(":has(.save-bar)");
      if (isCut || box.right > width + 1) found.push(element.outerHTML.slice(0, 80));
    }
    return found;
  },

  /** Text that looks like three before it: in the same colours and size, on the same ground. */
  alike() {
    const grounds = new Map([[null, ""]]), times = new Map();
    const looks = (element, ...names) => names.map((name) => getComputedStyle(element)[name]).join();
    const ground = (element) => {
      if (!grounds.has(element)) {
        const own = looks(element, "backgroundColor", "backgroundImage", "opacity", "filter", "position");
        const isClear = own === "rgba(0, 0, 0, 0),none,1,none,static";
        grounds.set(element, ground(element.parentElement) + (isClear ? "" : `/${own}`));
      }
      return grounds.get(element);
    };
    return [...document.querySelectorAll("body *")].filter((element) => {
      if (element.childElementCount || !element.textContent.trim() || !element.checkVisibility())
        return false;
      const look = [
        element.tagName, ground(element), looks(element.parentElement, "color"),
        looks(element, "color", "fontSize", "fontWeight", "textDecorationLine", "textShadow"),
      ].join();
      times.set(look, (times.get(look) ?? 0) + 1);
      return times.get(look) > 3;
    });
  },

  /**
   * What axe finds, as its rule and the elements. Contrast takes most of its time, and a long table
   * says the same one over and over; the other rules see every element. axe would load the
   * stylesheets anew, which takes time and which the policy refuses.
   */
  async violations() {
    await this.settled();
    const options = { resultTypes: ["violations"], preload: false };
    const colours = ["color-contrast", "link-in-text-block"];
    const off = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]));
    const found = [
      await axe.run({ exclude: this.alike() }, { ...options, runOnly: colours }),
      await axe.run({ ...options, rules: off }),
    ];
    return found.flatMap(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]));
  },
};

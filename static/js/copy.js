/* A link with data-copy copies the text behind its address instead of going there.

   Where the clipboard is not to be had (an old browser, a page without https) the link stays a
   link, and the text opens to be copied by hand. */
"use strict";

for (const link of document.querySelectorAll("a[data-copy]")) {
  link.addEventListener("click", async (event) => {
    if (!navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const response = await fetch(link.href);
      if (!response.ok) throw new Error(response.statusText);
      await navigator.clipboard.writeText(await response.text());
    } catch {
      location.assign(link.href);
      return;
    }
    const words = link.textContent;
    link.setAttribute("aria-live", "polite");
    link.textContent = link.dataset.copy;
    setTimeout(() => { link.textContent = words; }, 2000);
  });
}

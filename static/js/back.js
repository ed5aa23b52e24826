/* A page that answered what was sent is, for Back and Reload, the page at its address.

   Else the browser would have to send it all once more to show the page, and shows an error. */

history.replaceState(history.state, "", document.currentScript.dataset.address);

// What the theme leaves without a name, or with the same one several times; and wide tables for the keyboard.
const name = () => {
  document.querySelector('.md-search[role="dialog"]')?.setAttribute("aria-label", "Search");
  document.querySelectorAll("nav.md-code__nav, .md-nav .md-nav").forEach((nav) => {
    for (const attribute of ["aria-labelledby", "aria-expanded", "aria-label"]) nav.removeAttribute(attribute);
    nav.setAttribute("role", "none");
  });
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((table) => table.setAttribute("tabindex", "0"));
};
new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true });
name();

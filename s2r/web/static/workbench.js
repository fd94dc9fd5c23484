// Keys, selection of sentences, and places of focus. Everything can be read, and decided by forms, without this file.
"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const one = (selector, within = document) => within.querySelector(selector);
  const say = (text) => { const place = one("#said"); if (place) place.textContent = text; };
  const shown = (element) => element.getClientRects().length > 0 && !element.disabled;
  const points = (text) => Array.from(text).length; // offsets are counted in characters, not in UTF-16 units

  // keys -------------------------------------------------------------------------------------------------------------
  const writes = (element) => element instanceof HTMLElement &&
    (element.isContentEditable || /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
      (element.tagName === "INPUT" && !/^(checkbox|radio|submit|button|file)$/.test(element.type)));

  function act(element) {
    if (element.dataset.step) { stepProof(Number(element.dataset.step)); return; }
    const target = element.dataset.focus ? one(element.dataset.focus) : null;
    if (target) {
      const fold = target.closest("details");
      if (fold) { fold.open = true; fold.scrollIntoView({ block: "nearest" }); }
      target.focus();
    } else if (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)) element.focus();
    else element.click();
  }

  function stepProof(step) {
    const list = all("[data-proof]");
    const at = list.findIndex((link) => link.closest("li").classList.contains("now"));
    const next = list[(at + step + list.length) % list.length];
    if (next) next.click();
  }

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && event.ctrlKey && writes(event.target)) {
      const form = event.target.closest("form");
      const button = form && (one("[data-ctrl-enter]", form) || one("button", form));
      if (button) { event.preventDefault(); button.click(); }
      return;
    }
    if (event.ctrlKey) return;
    if (event.key === "Escape" && (writes(event.target) || event.target.closest(".paper"))) {
      event.target.blur();
      one("#main").focus({ preventScroll: true });
      return;
    }
    if (event.target.closest && event.target.closest(".paper") && inPaper(event)) return;
    if (writes(event.target) || event.key.length !== 1 || event.repeat) return;
    const key = event.key.toLowerCase();
    const found = all("[aria-keyshortcuts]").find((element) => element.getAttribute("aria-keyshortcuts") === key && shown(element));
    if (found) { event.preventDefault(); act(found); }
  });

  // sentences --------------------------------------------------------------------------------------------------------
  function inPaper(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const here = event.target.closest(".s");
    if (step) {
      const list = all(".s", event.target.closest(".paper"));
      const next = list[here ? list.indexOf(here) + step : 0];
      if (next) { event.preventDefault(); next.focus(); }
      return true;
    }
    if ((event.key === "Enter" || event.key === " ") && here) {
      event.preventDefault();
      choose(here.closest(".paper"), Number(here.dataset.start), Number(here.dataset.end), here.textContent, [here]);
      return true;
    }
    return false;
  }

  function toSentences() {
    const paper = one(".paper");
    if (!paper) return;
    const mark = one("mark", paper);
    const target = (mark && mark.closest(".s")) || (mark && one(".s", mark)) || one(".s", paper);
    if (target) target.focus();
  }

  function offsetIn(paper, node, offset) {
    const range = document.createRange();
    range.setStart(paper, 0);
    range.setEnd(node, offset);
    return Number(paper.dataset.start) + points(range.toString());
  }

  document.addEventListener("mouseup", (event) => {
    const paper = event.target.closest && event.target.closest(".paper[data-exhibit]");
    if (!paper) return;
    const selection = window.getSelection();
    if (selection.isCollapsed) {
      const here = event.target.closest(".s");
      if (here) choose(paper, Number(here.dataset.start), Number(here.dataset.end), here.textContent, [here]);
      return;
    }
    const range = selection.getRangeAt(0);
    if (!paper.contains(range.startContainer) || !paper.contains(range.endContainer)) return;
    const text = range.toString();
    const lead = points(text) - points(text.trimStart());
    const start = offsetIn(paper, range.startContainer, range.startOffset) + lead;
    if (!text.trim()) return;
    choose(paper, start, start + points(text.trim()), text.trim(), all(".s", paper).filter((s) => selection.containsNode(s, true)));
  });

  function choose(paper, start, end, quote, sentences) {
    const list = one("#chosen");
    if (!list || !paper.dataset.exhibit) return;
    all(".s.chosen", paper).forEach((s) => s.classList.remove("chosen"));
    sentences.forEach((s) => s.classList.add("chosen"));
    const span = `${paper.dataset.exhibit}|${start}|${end}`;
    const item = document.createElement("li");
    const text = document.createElement("q");
    text.textContent = quote;
    const kept = document.createElement("input");
    kept.type = "hidden";
    kept.name = "evidence";
    kept.value = span;
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "quiet";
    remove.textContent = list.dataset.remove;
    remove.addEventListener("click", () => { item.remove(); all(".s.chosen").forEach((s) => s.classList.remove("chosen")); });
    item.append(text, " ", remove, kept);
    list.replaceChildren(item);
    const fold = list.closest("details");
    if (fold) { fold.open = true; list.scrollIntoView({ block: "nearest" }); }
    say(list.dataset.said.replace("{quote}", quote));
    if (window.htmx && list.dataset.dates) {
      const query = new URLSearchParams({ row: list.dataset.row, exhibit: paper.dataset.exhibit, start, end });
      window.htmx.ajax("GET", `${list.dataset.dates}?${query}`, { source: "#dates", target: "#dates", swap: "innerHTML" });
    }
  }

  document.addEventListener("click", (event) => {
    const proof = event.target.closest && event.target.closest("[data-proof]");
    if (proof) {
      all(".claims > li.now").forEach((li) => li.classList.remove("now"));
      proof.closest("li").classList.add("now");
    }
    const step = event.target.closest && event.target.closest("button[data-step]");
    if (step) stepProof(Number(step.dataset.step));
    const offer = event.target.closest && event.target.closest("[data-fill]");
    if (!offer) return;
    const field = one(offer.dataset.fill);
    if (!field) return;
    event.preventDefault();
    field.value = offer.dataset.value;
    const status = one("#status");
    if (status && field.id === "announcement_date") status.value = "yes";
    const reason = one("#reason_code_correct");
    field.focus();
    if (reason) reason.focus();
  });

  // places -----------------------------------------------------------------------------------------------------------
  function settle(within) {
    all(".paper", within).forEach((paper) => {
      const mark = paper.dataset.now ? one(`#claim-${paper.dataset.now} + mark`, paper) : one("mark", paper);
      if (!mark) return;
      mark.classList.add("now");
      paper.scrollTop += mark.getBoundingClientRect().top - paper.getBoundingClientRect().top - paper.clientHeight / 3;
    });
    all("form[data-opened]", within).forEach((form) => { form.dataset.since = String(performance.now()); });
    all("[data-action=sentences]", within).forEach((button) => button.addEventListener("click", toSentences));
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const seconds = one("input[name=seconds]", form);
    if (seconds && form.dataset.since) seconds.value = ((performance.now() - Number(form.dataset.since)) / 1000).toFixed(1);
    if (form.dataset.sent && form.method === "post") event.preventDefault(); // a second press sends nothing twice
    form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => all("form[data-sent]").forEach((form) => delete form.dataset.sent));

  if (window.matchMedia("(max-width: 60rem)").matches) all("[data-narrow=closed]").forEach((fold) => { fold.open = false; });

  const theme = one("#theme");
  if (theme) theme.addEventListener("change", () => theme.form.requestSubmit());
  document.addEventListener("change", (event) => {
    const form = event.target.closest && event.target.closest("form[data-auto]");
    if (form) form.requestSubmit();
  });
  document.addEventListener("htmx:afterSettle", (event) => settle(event.target));
  document.addEventListener("htmx:configRequest", (event) => { event.detail.headers["X-CSRF-Token"] = document.body.dataset.csrf; });
  settle(document);
})();
